"""Whole turns: the values of a hinge that mean the same place, and which of them its limits allow."""

from __future__ import annotations

from math import tau

from telecell.geometry.arrays import FloatArray

ROUNDING = 1e-10
"""A value that is outside a limit by less is put on the limit."""

Placed = tuple[list[float], tuple[int, ...]]
"""Joint values, and the numbers of the axes that are outside their limits."""


class Turns:
    """Brings the angles of hinges into their limits by whole turns.

    Plain numbers instead of arrays: for the few postures of one pose they are the faster of the two.
    """

    def __init__(self, limits: FloatArray):
        """Take limits (n, 2) in radians."""
        self._lower: list[float] = limits[:, 0].tolist()
        self._upper: list[float] = limits[:, 1].tolist()
        spans = zip(self._lower, self._upper, strict=True)
        self._wide = [k for k, (lower, upper) in enumerate(spans) if upper - lower >= tau - ROUNDING]

    def place(self, rows: FloatArray) -> list[Placed]:
        """Bring postures into the limits.

        Args:
            rows: (k, n) postures, each angle in any turn.

        Returns:
            For each posture, every combination of turns inside the limits; or where there is none, the posture
            once, each angle in the turn nearest to its limits, with the numbers of the axes outside.
        """
        placed: list[Placed] = []
        lowers, uppers, wide = self._lower, self._upper, self._wide
        for row in rows.tolist():
            outside = ()
            for value, lower, upper in zip(row, lowers, uppers, strict=True):
                if value < lower or value > upper:
                    outside = self._bring_in(row)
                    break
            placed.append((row, outside))
            if wide and not outside:
                placed += self._other_turns(row)
        return placed

    def _bring_in(self, row: list[float]) -> tuple[int, ...]:
        """Turn the values of a row, in place, until they are inside or least outside; say which are outside."""
        outside = []
        for k, (value, lower, upper) in enumerate(zip(row, self._lower, self._upper, strict=True)):
            if lower <= value <= upper:
                continue
            above = lower + (value - lower) % tau
            below = above - tau
            row[k] = above if above - upper <= lower - below else below
            if min(above - upper, lower - below) <= ROUNDING:
                row[k] = min(max(row[k], lower), upper)
            else:
                outside.append(k)
        return tuple(outside)

    def _other_turns(self, row: list[float]) -> list[Placed]:
        """The other combinations of turns of a row that is inside."""
        rows = [row]
        for k in self._wide:
            value, lower, upper = row[k], self._lower[k], self._upper[k]
            first = -int((value - lower + ROUNDING) // tau)
            last = int((upper - value + ROUNDING) // tau)
            if first or last:
                turned = [value + turn * tau for turn in range(first, last + 1) if turn]
                inside = [min(max(other, lower), upper) for other in turned]
                rows += [[*r[:k], other, *r[k + 1 :]] for other in inside for r in rows]
        return [(other, ()) for other in rows[1:]]
