"""Which release of Telecell this is."""

RELEASE = "0.1.0"
