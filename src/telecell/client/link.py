"""How good the way to the cell is, measured where the program is."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

WINDOW_S = 1.0


@dataclass(frozen=True, slots=True)
class LinkState:
    """The way to the cell.

    Attributes:
        age_s: how long ago the newest state arrived.
        round_trip_s: how long the last request and its reply were under way, with what the cell needed for it.
        lost: states that did not arrive, among those of the last second.
    """

    age_s: float = 0.0
    round_trip_s: float = 0.0
    lost: int = 0


class _Look(NamedTuple):
    """When a state arrived, its tick, and how many states had arrived by then."""

    moment_s: float
    tick: int
    states: int


class LinkMeter:
    """Measures it."""

    def __init__(self) -> None:
        self.round_trip_s = 0.0
        self._looks: deque[_Look] = deque()

    def note_state(self, moment_s: float, tick: int, states: int) -> None:
        """A state was looked at; others may have arrived before it."""
        self._looks.append(_Look(moment_s, tick, states))
        while len(self._looks) > 2 and self._looks[1].moment_s <= moment_s - WINDOW_S:
            self._looks.popleft()

    def forget(self) -> None:
        """The ticks begin anew."""
        self._looks.clear()

    def measure(self, age_s: float) -> LinkState:
        """How good the way is."""
        if not self._looks:
            return LinkState(age_s, self.round_trip_s)
        first, last = self._looks[0], self._looks[-1]
        lost = (last.tick - first.tick) - (last.states - first.states)
        return LinkState(age_s, self.round_trip_s, max(lost, 0))
