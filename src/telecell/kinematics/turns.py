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
        self._axes: list[tuple[int, float, float]] = [(k, *pair) for k, pair in enumerate(limits.tolist())]
        # Axes that reach some places in several turns: those from `high` up and from `low` down.
        ends = [(k, lower + tau - ROUNDING, upper - tau + ROUNDING) for k, lower, upper in self._axes]
        self._wide = [(k, high, low) for k, high, low in ends if high - low <= tau]

    def place(self, rows: FloatArray) -> list[Placed]:
        """Bring postures into the limits.

        Args:
            rows: (k, n) postures, each angle in any turn.

        Returns:
            For each posture, every combination of turns inside the limits; or where there is none, the posture
            once, each angle in the turn nearest to its limits, with the numbers of the axes outside.
        """
        placed: list[Placed] = []
        for row in rows.tolist():
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
            placed.append((row, outside))
            for k, high, low in self._wide:
                if not outside and (row[k] >= high or row[k] <= low):
                    placed += self._list_other_turns(row)
                    break
        return placed

    def _list_other_turns(self, row: list[float]) -> list[Placed]:
        """The other combinations of turns inside the limits, of a row that is inside."""
        rows = [row]
        for k, _, _ in self._wide:
            _, lower, upper = self._axes[k]
            fewest = -int((row[k] - lower + ROUNDING) // tau)
            most = int((upper - row[k] + ROUNDING) // tau)
            values = [row[k] + turns * tau for turns in range(fewest, most + 1) if turns]
            inside = [min(max(value, lower), upper) for value in values]
            rows += [[*other[:k], value, *other[k + 1 :]] for value in inside for other in rows]
        return [(other, ()) for other in rows[1:]]
