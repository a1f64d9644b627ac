"""Keeps a cell in step with the machine's clock, as far as its program lets it."""

from __future__ import annotations

from telecell.clock import Clock


class Pace:
    """Says when the next period begins: by absolute deadlines, and never in a burst.

    A program that was busy elsewhere finds its cell late by that time. The lost periods are left out, and the cell is
    told how late it is: a robot in motion whose program went quiet is stopped by the cell's own rules.

    Args:
        clock: the machine's.
        period_s: length of a period.
    """

    def __init__(self, clock: Clock, period_s: float):
        self._clock = clock
        self._period_s = period_s
        self._start_s = self._next_s = clock.now()

    @property
    def is_late(self) -> bool:
        """Whether the next period should have begun, and ended, already."""
        return self._clock.now() > self._next_s + self._period_s

    def begin_period(self) -> float:
        """Wait for the beginning of the next period, and say when that is by the cell's clock."""
        self._next_s = max(self._next_s, self._clock.now())
        self._clock.sleep_until(self._next_s)
        begin_s = self._next_s
        self._next_s += self._period_s
        return begin_s - self._start_s
