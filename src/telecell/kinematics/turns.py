"""Whole turns: the values of a hinge that mean the same place, and which of them its limits allow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import tau

import numpy as np

from telecell.geometry.arrays import FloatArray

ROUNDING = 1e-10
"""A value that is outside its limit by less is put on the limit."""


class Turns:
    """Brings the angles of hinges into their limits by whole turns."""

    def __init__(self, limits: FloatArray):
        """Take limits (n, 2) in radians."""
        self._lower, self._upper = limits[:, 0], limits[:, 1]
        self._start = self._lower - ROUNDING
        self._pairs: list[tuple[float, float]] = [(lower, upper) for lower, upper in limits.tolist()]
        self._wide = [k for k, (lower, upper) in enumerate(self._pairs) if upper - lower >= tau - ROUNDING]

    def place(self, rows: FloatArray) -> Iterator[tuple[list[float], tuple[int, ...]]]:
        """Bring postures into the limits.

        Args:
            rows: (k, n) postures, each angle in any turn.

        Yields:
            For each posture, every combination of turns inside the limits, with an empty tuple; or where there is
            none, the posture once, each angle in the turn nearest to its limits, with the numbers of the axes
            that are outside.
        """
        wrapped = rows - self._start
        wrapped %= tau
        wrapped += self._start
        np.maximum(wrapped, self._lower, out=wrapped)
        beyond = (wrapped > self._upper).tolist()
        for row, flags in zip(wrapped.tolist(), beyond, strict=True):
            outside = self._pull_back(row, flags) if True in flags else ()
            yield row, outside
            if self._wide and not outside:
                for more in self._other_turns(row):
                    yield more, ()

    def _pull_back(self, row: list[float], flags: list[bool]) -> tuple[int, ...]:
        """Put the flagged values of a row, in place, where they are least outside; say which remain outside."""
        outside = []
        for k, (lower, upper) in enumerate(self._pairs):
            if not flags[k]:
                continue
            above, below = row[k] - upper, lower - (row[k] - tau)
            if above <= ROUNDING:
                row[k] = upper
                continue
            outside.append(k)
            if below < above:
                row[k] -= tau
        return tuple(outside)

    def _other_turns(self, row: list[float]) -> Iterator[list[float]]:
        """The other combinations of turns inside the limits of a row whose values are in the lowest one."""
        counts = [int((self._pairs[k][1] + ROUNDING - row[k]) // tau) for k in self._wide]
        if not any(counts):
            return
        for turns in product(*(range(count + 1) for count in counts)):
            if any(turns):
                other = row.copy()
                for k, turn in zip(self._wide, turns, strict=True):
                    other[k] = min(row[k] + turn * tau, self._pairs[k][1])
                yield other
