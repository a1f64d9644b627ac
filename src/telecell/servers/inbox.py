"""What waits for a thread that has no time: filled by the bus, emptied bit by bit, and bounded."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

MAX_REFUSED = 64
"""How many of those that found no room are kept to be told so; the rest are dropped."""

Item = TypeVar("Item")


class Inbox(Generic[Item]):
    """Items in the order in which they came; any thread may fill it, one empties it.

    Args:
        room: how many may wait. Of what comes beyond that a few are kept apart to be refused, the rest is counted.

    Attributes:
        dropped: how many came that nobody will ever see.
    """

    def __init__(self, room: int):
        self.dropped = 0
        self._room = room
        self._waiting: deque[Item] = deque()
        self._refused: deque[Item] = deque()
        self._changed = threading.Condition()

    def put(self, item: Item) -> None:
        """Have an item taken, or refused, or dropped."""
        with self._changed:
            if len(self._waiting) < self._room:
                self._waiting.append(item)
            elif len(self._refused) < MAX_REFUSED:
                self._refused.append(item)
            else:
                self.dropped += 1
            self._changed.notify()

    def wait(self, timeout_s: float) -> None:
        """Return when there is something to take, at the latest after a time."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, timeout_s)

    def take(self, most: int) -> list[Item]:
        """The oldest items, so many at most."""
        with self._changed:
            return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def take_refused(self) -> list[Item]:
        """Those that found no room and are to be told so."""
        with self._changed:
            refused = list(self._refused)
            self._refused.clear()
            return refused
