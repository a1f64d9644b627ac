"""When each of the last ticks was: the age of what a sender has seen, and whether the plant keeps up."""

from __future__ import annotations

import math
from collections import deque

KEPT_S = 12.0
"""Longer than the oldest echo that any profile takes."""

SLOW_WINDOW = 125
"""Ticks over which the speed of the plant is measured: half a second."""

SLOWEST = 0.5
ROUNDING_S = 1e-9


class Ticks:
    """The moments of the last ticks, on the cell's own clock."""

    def __init__(self, period_s: float):
        self._period_s = period_s
        self._moments: deque[float] = deque([0.0], maxlen=math.ceil(KEPT_S / period_s))
        self._offset_s = 0.0
        self._resumed = False
        self._watched = 0
        self.newest = 0

    def note(self, tick: int, now_s: float) -> None:
        """A tick begins; one that does not follow the last begins a new count."""
        if self._resumed:
            offset = self.now_s + self._period_s - now_s
            self._offset_s = offset if abs(offset) > ROUNDING_S else 0.0
        if self._resumed or tick != self.newest + 1:
            self._moments.clear()
        self._resumed = False
        self.newest = tick
        self._watched += 1
        self._moments.append(now_s + self._offset_s)

    def resume(self, now_s: float) -> None:
        """Go on as if the last tick had been at a saved moment, whatever the clock says now."""
        self._moments.clear()
        self._moments.append(now_s)
        self._resumed = True

    @property
    def now_s(self) -> float:
        """The moment of the newest tick."""
        return self._moments[-1]

    def compute_age_s(self, tick: int) -> float:
        """How long ago a tick was told; infinite if that is not known, negative if it is still to come.

        The world is told of a tick at the end of the period before it. Between the two the loop may have stood still.
        """
        back = self.newest - tick
        if back < 0:
            return -1.0
        if back >= len(self._moments):
            return float("inf")
        return self.now_s - self._moments[max(-2 - back, -len(self._moments))]

    def forget_speed(self) -> None:
        """Nothing moves: however long the plant takes, it does no harm."""
        self._watched = 0

    @property
    def speed(self) -> float:
        """Plant time over real time during the last half second of motion; 1 while that is not over yet."""
        if min(len(self._moments), self._watched) <= SLOW_WINDOW:
            return 1.0
        elapsed = self.now_s - self._moments[-1 - SLOW_WINDOW]
        return SLOW_WINDOW * self._period_s / elapsed if elapsed > 0 else 1.0
