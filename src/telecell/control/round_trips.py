"""How far away a holder is, measured by the cell alone: renewals say which tick their sender had seen."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

WINDOW_S = 1.0
MOST = 1024


class _Arrival(NamedTuple):
    moment_s: float
    age_s: float
    sequence: int | None


class RoundTrips:
    """The signs of life of the last second.

    Args:
        now_s: when the grant was given.
        age_s: of what its holder had seen then.

    Attributes:
        shortest_s: the shortest round trip since the grant was given.
    """

    def __init__(self, now_s: float, age_s: float):
        self.shortest_s = age_s
        self._arrivals: deque[_Arrival] = deque([_Arrival(now_s, age_s, None)], maxlen=MOST)

    def note(self, now_s: float, age_s: float, sequence: int) -> None:
        """A renewal was accepted."""
        self.shortest_s = min(self.shortest_s, age_s)
        self._arrivals.append(_Arrival(now_s, age_s, sequence))

    def measure(self, now_s: float) -> tuple[float, float]:
        """The longest round trip of the last second, and the share of renewals that were lost in it."""
        while self._arrivals and self._arrivals[0].moment_s < now_s - WINDOW_S:
            self._arrivals.popleft()
        longest_s = max((arrival.age_s for arrival in self._arrivals), default=0.0)
        numbers = [arrival.sequence for arrival in self._arrivals if arrival.sequence is not None]
        sent = numbers[-1] - numbers[0] + 1 if numbers else 0
        return longest_s, 1.0 - len(numbers) / sent if sent else 0.0
