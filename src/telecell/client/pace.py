"""Keeps a cell in step with the machine's clock, as far as its program lets it."""

from __future__ import annotations

from collections.abc import Callable

from telecell.clock import Clock


class Pace:
    """Says when the next period begins: by absolute deadlines, and never in a burst.

    A program that was busy elsewhere finds its cell late by that time. The lost periods are left out, and the cell is
    told how late it is: a robot in motion whose program went quiet is stopped by the cell's own rules. While every
    robot stands there is nothing to be late for, so that such a break does not count.

    Args:
        clock: the machine's.
        period_s: length of a period.
    """

    def __init__(self, clock: Clock, period_s: float):
        self._clock = clock
        self._period_s = period_s
        self._start_s = self._next_s = clock.now()

    def begin_period(self, is_still: Callable[[], bool]) -> float:
        """Wait for the beginning of the next period, and say when that is by the cell's clock.

        Args:
            is_still: whether every robot stands; asked when a period begins late.
        """
        now_s = self._clock.now()
        late_s = now_s - self._next_s
        if late_s > 0:
            self._next_s = now_s
            if is_still():
                self._start_s += late_s
        else:
            self._clock.sleep_until(self._next_s)
        begin_s = self._next_s
        self._next_s += self._period_s
        return begin_s - self._start_s
