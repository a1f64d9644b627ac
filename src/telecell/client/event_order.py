"""Events in their order and without gaps, whatever was lost or overtaken on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from telecell.messages import AnyEvent

MOST_AHEAD = 1000


class EventOrder:
    """Hands out numbered events one after the other; with a gap before them they wait for the missing ones.

    Args:
        newest: number of the last event that is known.

    Attributes:
        newest: number of the last event that was handed out.
        lost: how many nobody has any more.
    """

    def __init__(self, newest: int = 0):
        self.newest = newest
        self.lost = 0
        self._ahead: dict[int, AnyEvent] = {}

    @property
    def has_gap(self) -> bool:
        """Whether events are here that wait for missing ones."""
        return bool(self._ahead)

    def take(self, events: Iterable[AnyEvent]) -> list[AnyEvent]:
        """Take in what was published, and hand out what follows."""
        following = []
        for event in events:
            if event.number == self.newest + 1:
                following += [event, *self._follow(event)]
            elif event.number > self.newest and len(self._ahead) < MOST_AHEAD:
                self._ahead[event.number] = event
        return following

    def _follow(self, event: AnyEvent) -> Iterator[AnyEvent]:
        """Those that have waited for an event that is handed out."""
        self.newest = event.number
        while (following := self._ahead.pop(self.newest + 1, None)) is not None:
            self.newest += 1
            yield following

    def fill(self, events: Iterable[AnyEvent]) -> list[AnyEvent]:
        """Take in what the cell still had after `newest`: what is not among it is lost for good.

        What still waits behind another gap is dropped: the next question brings it again, if there is such an event.
        """
        missing = [event for event in events if event.number > self.newest]
        if missing:
            self.lost += missing[0].number - self.newest - 1
            self.newest = missing[0].number - 1
        following = self.take(missing)
        self._ahead.clear()
        return following
