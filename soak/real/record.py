"""What a cell has said of itself in one run: every state and every event."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TypeVar

from telecell.messages import AnyEvent, CellState, GrantState
from telecell.messages.events import Event

MOVED = 1e-9
"""Rad or m from one tick to the next above which an axis moves."""

MOST_STATES = 50_000

Kind = TypeVar("Kind", bound=Event)


class Record:
    """One run of the cell, from one start of its server to the next.

    The events of tick k are those of the step that led to the state with tick k + 1.

    Attributes:
        epoch: of the run.
        states: by tick; the oldest are forgotten.
        events: in their order.
        gaps: at which ticks events were lost before they could be asked for; a flood can do that.
    """

    def __init__(self, epoch: str):
        self.epoch = epoch
        self.states: dict[int, CellState] = {}
        self.events: list[AnyEvent] = []
        self.gaps: list[int] = []

    @property
    def newest(self) -> CellState:
        """The newest state."""
        return next(reversed(self.states.values()))

    def add(self, state: CellState) -> None:
        """Put a state down."""
        self.states[state.tick] = state
        if len(self.states) > MOST_STATES:
            del self.states[next(iter(self.states))]

    def list_events(self, kind: type[Kind], since: int = 0) -> list[Kind]:
        """The events of a kind, since a state."""
        return [event for event in self.events if isinstance(event, kind) and event.tick >= since]

    def list_missed(self, since: int = 0) -> list[int]:
        """The ticks since a state of which no state has come."""
        ticks = [tick for tick in self.states if tick >= since]
        return sorted(set(range(ticks[0], ticks[-1])) - set(ticks)) if ticks else []

    def has_seen(self, *ticks: int) -> bool:
        """Whether the states of all these ticks have come: on a busy machine some may not."""
        return all(tick in self.states for tick in ticks)

    def list_pairs(self) -> Iterator[tuple[CellState, CellState]]:
        """Every two states that have come one after the other."""
        return itertools.pairwise(self.states.values())

    def compute_step(self, tick: int) -> float:
        """How far the first axis was sent from one tick to the next; infinite if that was not seen."""
        before, state = self.states.get(tick - 1), self.states.get(tick)
        return float("inf") if before is None or state is None else compute_step(before, state)


def compute_step(before: CellState, state: CellState) -> float:
    """How far the axis that goes farthest was sent, from one state to the next."""
    axes = zip(before.axes, state.axes, strict=True)
    return max(abs(new.q_desired - old.q_desired) for old, new in axes)


def find_grant(state: CellState, tenure: int | None) -> GrantState | None:
    """The grant of that number, if somebody has it."""
    return next((grant for grant in state.grants if grant.tenure == tenure), None)
