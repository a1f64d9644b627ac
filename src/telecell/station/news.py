"""What has happened in the cell, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from telecell.messages import AnyEvent
from telecell.station.wording import describe_event

KEPT = 100
RESTARTED = "the cell was restarted"


class Line(NamedTuple):
    """One event: its number, when it was, and what has happened."""

    number: int
    tick: int
    text: str


class News:
    """The last events that a person wants to know of.

    Attributes:
        recent: the newest ones, oldest first.
    """

    def __init__(self) -> None:
        self.recent: list[Line] = []

    def take(self, events: Iterable[AnyEvent]) -> None:
        """Add events; those of the past may come later than newer ones, and some twice."""
        lines = {
            Line(event.number, event.tick, words) for event in events if (words := describe_event(event)) is not None
        }
        self.recent = sorted({*self.recent, *lines})[-KEPT:]

    def begin_anew(self) -> None:
        """The cell counts its ticks and events from the beginning again."""
        self.recent = [Line(0, 0, RESTARTED)]
