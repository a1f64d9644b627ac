"""Events: numbered, kept for a while, given to whoever asks."""

from __future__ import annotations

from collections import deque
from typing import TypeVar

import msgspec

from telecell.messages import AnyEvent, Event, Origin
from telecell.messages.events import CommandRefused

MOST_REFUSALS, TICKS_PER_REFUSAL = 50, 12
"""So many refusals are told at once, and in the long run one in so many ticks: a stranger who floods the cell must not
push everything else out."""

KEPT = 1000
"""How many events a cell still has; older ones are counted as lost."""

AnyKind = TypeVar("AnyKind", bound=Event)


class JournalState(msgspec.Struct, frozen=True):
    """Plain values to go on from.

    Attributes:
        refusals_told: of those that may be told at once, how many were.
        refusals_tick: when that was last counted.
        left_out: refusals that were not told.
    """

    newest: int = 0
    kept: tuple[AnyEvent, ...] = ()
    refusals_told: int = 0
    refusals_tick: int = 0
    left_out: int = 0


class Journal:
    """Numbers the events of a cell and keeps the last of them."""

    def __init__(self) -> None:
        self._kept: deque[AnyEvent] = deque(maxlen=KEPT)
        self._fresh: list[AnyEvent] = []
        self.newest = 0
        self.tick = 0
        self._told = self._told_tick = self._left_out = 0

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

    def note_refusal(self, request: Origin, operation: str, reason: str) -> None:
        """A command was refused; in a flood some of them are only counted."""
        forgiven = (self.tick - self._told_tick) // TICKS_PER_REFUSAL
        self._told = max(self._told - forgiven, 0)
        self._told_tick += forgiven * TICKS_PER_REFUSAL
        if self._told >= MOST_REFUSALS:
            self._left_out += 1
            return
        self._told += 1
        self.note(CommandRefused, request=request, operation=operation, reason=reason, left_out=self._left_out)
        self._left_out = 0

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
        return JournalState(self.newest, tuple(self._kept), self._told, self._told_tick, self._left_out)

    def restore(self, state: JournalState) -> None:
        """Go on from saved values."""
        self.newest = state.newest
        self._told, self._told_tick, self._left_out = state.refusals_told, state.refusals_tick, state.left_out
        self._kept = deque(state.kept, maxlen=KEPT)
        self._fresh.clear()
