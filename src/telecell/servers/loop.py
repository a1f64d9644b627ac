"""A loop that keeps time: absolute deadlines, no bursts, and an honest account of what was late."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from telecell.clock import Clock
from telecell.messages import LoopState

MAX_LATE_PERIODS = 5
WINDOW_S = 1.0


class Pacer:
    """Says when each period begins, and counts those that took too long.

    Period k begins at start + k * period: lateness does not add up. A loop that is late by at most 5 periods makes
    up for them; one that is later leaves them out, so that a cell never moves in a burst, only later.

    Args:
        period_s: length of a period.
        start_s: when the first one begins.
    """

    def __init__(self, period_s: float, start_s: float):
        self.period_s = period_s
        self.overruns = 0
        self.dropped = 0
        self._start_s = start_s
        self._index = 0
        self._ends: deque[float] = deque([start_s])

    @property
    def deadline_s(self) -> float:
        """When the current period ends and the next one begins."""
        return self._start_s + (self._index + 1) * self.period_s

    def finish_period(self, now_s: float) -> float:
        """Account for a period whose work ended now, and return when the next one begins."""
        deadline = self.deadline_s
        late = now_s - deadline
        if late > 0:
            self.overruns += 1
        if late > MAX_LATE_PERIODS * self.period_s:
            missed = int(late / self.period_s)
            self.dropped += missed
            self._index += missed
            deadline += missed * self.period_s
        self._index += 1
        self._remember(max(now_s, deadline))
        return deadline

    def _remember(self, end_s: float) -> None:
        self._ends.append(end_s)
        while len(self._ends) > 2 and self._ends[1] <= end_s - WINDOW_S:
            self._ends.popleft()

    @property
    def elapsed_s(self) -> float:
        """Real time from the start to the end of the last period."""
        return self._ends[-1] - self._start_s

    @property
    def state(self) -> LoopState:
        """The account so far, with the real-time factor over the last second."""
        elapsed = self._ends[-1] - self._ends[0]
        factor = (len(self._ends) - 1) * self.period_s / elapsed if elapsed > 0 else 1.0
        return LoopState(factor, self.overruns, self.dropped)


def run_loop(work: Callable[[LoopState], bool], period_s: float, clock: Clock) -> Pacer:
    """Do the work once per period until it answers False; returns the account of it.

    Args:
        work: one period's work; it is told how well the loop has kept time so far.
        period_s: length of a period.
        clock: also the only place where the loop sleeps.
    """
    pacer = Pacer(period_s, clock.now())
    while work(pacer.state):
        clock.sleep_until(pacer.finish_period(clock.now()))
    pacer.finish_period(clock.now())
    return pacer
