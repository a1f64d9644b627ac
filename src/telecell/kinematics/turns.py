"""Whole turns: the values of a hinge that mean the same place, and which of them its limits allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, tau

from telecell.geometry.arrays import FloatArray

ROUNDING = 1e-10
"""A value that is outside a limit by less is put on the limit."""

MOST_COMBINATIONS = 256
"""Turns of one posture that are listed: all of an arm whose axes make two turns each."""

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

    def place(self, rows: Iterable[list[float]], reference: Sequence[float]) -> list[Placed]:
        """Bring postures into the limits.

        Args:
            rows: postures, each angle in any turn; changed in place.
            reference: joint values, for axes with so many turns that not all combinations are listed.

        Returns:
            For each posture, every combination of turns inside the limits (above `MOST_COMBINATIONS`, only the
            one nearest to the reference); or where there is none, the posture once, each angle in the turn
            nearest to its limits, with the numbers of the axes outside.
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
            placed.append((row, outside))
            for k, high, low in self._wide:
                if not outside and (row[k] >= high or row[k] <= low):
                    placed += self._list_other_turns(row, reference)
                    break
        return placed

    def _list_other_turns(self, row: list[float], reference: Sequence[float]) -> list[Placed]:
        """The other combinations of turns inside the limits, of a row that is inside."""
        rows = [row]
        for k, _, _ in self._wide:
            for value in self._list_turns(k, row[k]):
                rows += [[*other[:k], value, *other[k + 1 :]] for other in rows if other[k] == row[k]]
                if len(rows) > MOST_COMBINATIONS:
                    self._turn_towards(row, reference)
                    return []
        return [(other, ()) for other in rows[1:]]

    def _list_turns(self, k: int, value: float) -> Iterator[float]:
        """The other values of an axis inside its limits that mean the same place."""
        _, lower, upper = self._axes[k]
        fewest = ceil((lower - ROUNDING - value) / tau)
        most = floor((upper + ROUNDING - value) / tau)
        return (min(max(value + turns * tau, lower), upper) for turns in range(fewest, most + 1) if turns)

    def _turn_towards(self, row: list[float], reference: Sequence[float]) -> None:
        """Put every axis of a row, in place, in the turn nearest to the reference."""
        for k, _, _ in self._wide:
            _, lower, upper = self._axes[k]
            wanted = row[k] + round((reference[k] - row[k]) / tau) * tau
            if wanted > upper:
                wanted -= ceil((wanted - upper) / tau) * tau
            elif wanted < lower:
                wanted += ceil((lower - wanted) / tau) * tau
            row[k] = wanted
