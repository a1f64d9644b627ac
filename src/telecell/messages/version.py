"""The version of the messages: programs of one major version understand each other."""

from __future__ import annotations

from telecell.errors import VersionMismatch

VERSION = "3.0"


def validate_version(version: str) -> None:
    """Refuse a peer of another major version.

    Raises:
        VersionMismatch: with both numbers.
    """
    if version.partition(".")[0] != VERSION.partition(".")[0]:
        raise VersionMismatch(
            "the messages of the two sides differ in their major version",
            value=version,
            limit=VERSION,
            remedy="Bring both sides to the same release of Telecell.",
        )
