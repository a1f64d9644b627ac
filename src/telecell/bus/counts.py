"""What a bus counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class BusCounts:
    """What became of the messages at one bus: publications, questions and answers together.

    Attributes:
        sent: handed to the bus. Some may be lost on the way: what matters carries sequence numbers.
        received: handed to a callback.
        dropped: not sent: too long, or the bus was not open.
        failed: callbacks that raised an error.
    """

    sent: int = 0
    received: int = 0
    dropped: int = 0
    failed: int = 0
