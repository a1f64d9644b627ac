"""A clock that remembers how late a loop woke up, and how often its work was not done in time."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import msgspec

from soak.load.sampling import find_p99
from telecell.clock import SystemClock


class Lateness(msgspec.Struct):
    """The last periods of a loop.

    Attributes:
        overruns: periods whose work ended after their deadline.
        p99_us: how much later than its deadline a period began, in 99 of 100 cases at most.
    """

    periods: int
    overruns: int
    p99_us: float


class LatenessClock(SystemClock):
    """The machine's clock, for a loop that sleeps by it.

    Args:
        periods: how many it remembers.
    """

    def __init__(self, periods: int):
        self._late_us: deque[float] = deque(maxlen=periods)
        self._overran: deque[bool] = deque(maxlen=periods)

    def sleep_until(self, deadline: float) -> None:
        """Sleep, and note when that ended."""
        self._overran.append(self.now() > deadline)
        super().sleep_until(deadline)
        self._late_us.append((self.now() - deadline) * 1e6)

    def save(self, path: Path) -> None:
        """Write down the account."""
        lateness = Lateness(len(self._late_us), sum(self._overran), find_p99([*self._late_us]))
        path.write_bytes(msgspec.json.encode(lateness))
