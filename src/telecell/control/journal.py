"""Events: numbered, kept for a while, given to whoever asks."""

from __future__ import annotations

from collections import deque
from typing import TypeVar

import msgspec

from telecell.messages import AnyEvent, Event, Origin

KEPT = 1000
"""How many events a cell still has; older ones are counted as lost."""

AnyKind = TypeVar("AnyKind", bound=Event)


class JournalState(msgspec.Struct, frozen=True):
    """Plain values to go on from."""

    newest: int = 0
    kept: tuple[AnyEvent, ...] = ()


class Journal:
    """Numbers the events of a cell and keeps the last of them."""

    def __init__(self) -> None:
        self._kept: deque[AnyEvent] = deque(maxlen=KEPT)
        self._fresh: list[AnyEvent] = []
        self.newest = 0
        self.tick = 0

    def note(self, kind: type[AnyKind], *, request: Origin | None = None, **fields: object) -> AnyKind:
        """Something has happened.

        Args:
            kind: what.
            request: which request has caused it.
            fields: of the event.
        """
        self.newest += 1
        if request is not None:
            fields |= {"request": request.sequence, "sender": request.sender}
        event = kind(number=self.newest, tick=self.tick, **fields)  # pyright: ignore[reportArgumentType]
        self._kept.append(event)  # pyright: ignore[reportArgumentType]
        self._fresh.append(event)  # pyright: ignore[reportArgumentType]
        return event

    def take_fresh(self) -> tuple[AnyEvent, ...]:
        """What has happened since the last call."""
        fresh = tuple(self._fresh)
        self._fresh.clear()
        return fresh

    def since(self, after: int, kinds: tuple[str, ...]) -> tuple[tuple[AnyEvent, ...], int]:
        """Events with greater numbers, and how many of them are gone."""
        oldest = self.newest - len(self._kept)
        lost = max(oldest - max(after, 0), 0)
        wanted = (event for event in self._kept if event.number > after)
        return tuple(e for e in wanted if not kinds or e.__struct_config__.tag in kinds), lost

    def save(self) -> JournalState:
        """Plain values."""
        return JournalState(self.newest, tuple(self._kept))

    def restore(self, state: JournalState) -> None:
        """Go on from saved values."""
        self.newest = state.newest
        self._kept = deque(state.kept, maxlen=KEPT)
        self._fresh.clear()
