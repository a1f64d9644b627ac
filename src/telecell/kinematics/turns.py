"""Whole turns: the values of a hinge that mean the same place, and which of them its limits allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, tau

from telecell.geometry.arrays import FloatArray

ROUNDING = 1e-10
"""A value that is outside a limit by less is put on the limit."""

MOST_COMBINATIONS = 256
"""Combinations of turns that are listed: all of a six-hinge arm whose axes make two turns each."""

Placed = tuple[list[list[float]], tuple[int, ...]]
"""A posture in every combination of turns, and the numbers of the axes that are outside their limits in all."""


class Turns:
    """Brings the angles of hinges into their limits by whole turns.

    Plain numbers instead of arrays: for the few postures of one pose they are the faster of the two.
    """

    def __init__(self, limits: FloatArray):
        """Take limits (n, 2) in radians."""
        self._axes: list[tuple[int, float, float]] = [(k, *pair) for k, pair in enumerate(limits.tolist())]
        # Axes that reach some places in several turns: those from `high` up and from `low` down.
        ends = [(k, lower + tau - ROUNDING, upper - tau + ROUNDING) for k, lower, upper in self._axes]
        self._wide = [(k, high, low) for k, high, low in ends if high - low <= tau]

    def place(self, rows: Iterable[list[float]], reference: Sequence[float]) -> list[Placed]:
        """Bring postures into the limits.

        Args:
            rows: postures, each angle in any turn; changed in place.
            reference: joint values, for axes with so many turns that not all combinations are listed.

        Returns:
            For each posture, every combination of turns inside the limits (only the one nearest to the reference
            where there are more than `MOST_COMBINATIONS`); or where there is none, the posture with each angle in
            the turn nearest to its limits, and the numbers of the axes outside.
        """
        placed: list[Placed] = []
        for row in rows:
            outside = ()
            for k, lower, upper in self._axes:
                value = row[k]
                if value < lower or value > upper:
                    value = lower + (value - lower) % tau
                    if value > upper:
                        excess, shortfall = value - upper, lower - value + tau
                        value = value if excess <= shortfall else value - tau
                        if excess > ROUNDING and shortfall > ROUNDING:
                            outside += (k,)
                        else:
                            value = min(max(value, lower), upper)
                    row[k] = value
            turned = [row]
            if not outside:
                for k, high, low in self._wide:
                    if row[k] >= high or row[k] <= low:
                        turned = self._list_turns(row, reference)
                        break
            placed.append((turned, outside))
        return placed

    def _list_turns(self, row: list[float], reference: Sequence[float]) -> list[list[float]]:
        """Every combination of turns inside the limits, of a row that is inside."""
        rows = [row]
        for k, _, _ in self._wide:
            _, lower, upper = self._axes[k]
            value = row[k]
            fewest, most = ceil((lower - ROUNDING - value) / tau), floor((upper + ROUNDING - value) / tau)
            if len(rows) * (most - fewest + 1) > MOST_COMBINATIONS:
                return [self._turn_towards(row, reference)]
            others = [min(max(value + n * tau, lower), upper) for n in range(fewest, most + 1) if n]
            rows += [[*r[:k], other, *r[k + 1 :]] for other in others for r in rows]
        return rows

    def _turn_towards(self, row: list[float], reference: Sequence[float]) -> list[float]:
        """A row that is inside, with every axis in the turn nearest to the reference."""
        turned = row.copy()
        for k, _, _ in self._wide:
            _, lower, upper = self._axes[k]
            fewest, most = ceil((lower - row[k]) / tau), floor((upper - row[k]) / tau)
            turned[k] += min(max(round((reference[k] - row[k]) / tau), fewest), most) * tau
        return turned
