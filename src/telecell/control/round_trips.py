"""How far away a holder is, measured by the cell alone: renewals say which tick their sender had seen."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

WINDOW_S = 1.0
LONGEST = 1024


class _Arrival(NamedTuple):
    moment_s: float
    age_s: float
    sequence: int


class RoundTrips:
    """The renewals of the last second.

    Args:
        now_s: when the grant was given.
        age_s: of what its holder had seen then.
    """

    def __init__(self, now_s: float, age_s: float):
        self.shortest_s = age_s
        self._first = (now_s, age_s)
        self._arrivals: deque[_Arrival] = deque(maxlen=LONGEST)

    def note(self, now_s: float, age_s: float, sequence: int) -> None:
        """A renewal was accepted."""
        self.shortest_s = min(self.shortest_s, age_s)
        self._arrivals.append(_Arrival(now_s, age_s, sequence))

    def measure(self, now_s: float) -> tuple[float, float]:
        """The longest round trip of the last second, and the share of renewals that were lost in it."""
        begin_s = now_s - WINDOW_S
        while len(self._arrivals) > 1 and self._arrivals[0].moment_s < begin_s:
            self._arrivals.popleft()
        ages = [arrival.age_s for arrival in self._arrivals]
        if self._first[0] >= begin_s:
            ages.append(self._first[1])
        sent = self._arrivals[-1].sequence - self._arrivals[0].sequence + 1 if self._arrivals else 0
        lost = 1.0 - len(self._arrivals) / sent if sent else 0.0
        return max(ages, default=0.0), lost
