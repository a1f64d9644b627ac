"""Cubic pieces between knots: their coefficients, and their extremes without sampling."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_banded

from telecell.geometry import FloatArray


class Piecewise:
    """n axes through k + 1 knots, each piece the cubic that has the positions and velocities of its knots.

    Attributes:
        times: (k + 1,) growing.
        coefficients: (4, k, n), constant first, of the time since the piece's own beginning.
    """

    def __init__(self, times: FloatArray, positions: FloatArray, velocities: FloatArray):
        self.times = times
        self._spans = np.diff(times)[:, None]
        slopes = np.diff(positions, axis=0) / self._spans
        v0, v1 = velocities[:-1], velocities[1:]
        square = (3.0 * slopes - 2.0 * v0 - v1) / self._spans
        cube = (v0 + v1 - 2.0 * slopes) / self._spans**2
        self.coefficients = np.stack([positions[:-1], v0, square, cube])
        self._ends = positions, velocities

    def evaluate(self, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Position, velocity and acceleration, (m, n) each, at m times; beyond the ends the end pieces go on."""
        pieces = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self._spans) - 1)
        return evaluate(self.coefficients[:, pieces], (times - self.times[pieces])[:, None])

    def compute_extremes(self) -> FloatArray:
        """(n, 2) smallest and largest position of each axis."""
        _, rates, square, cube = self.coefficients
        # Roots of the velocity, c1 + 2 c2 t + 3 c3 t² = 0, in a form that also holds for c3 = 0.
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(square**2 - 3.0 * rates * cube)
            half = -square - np.copysign(root, square)
            turns = np.stack([rates / half, half / (3.0 * cube)])
        inside = np.where((turns > 0.0) & (turns < self._spans), turns, 0.0)
        positions = np.concatenate([*evaluate(self.coefficients, inside)[0], self._ends[0]])
        return np.stack([positions.min(axis=0), positions.max(axis=0)], axis=1)

    def compute_top_speeds(self) -> FloatArray:
        """(n,) largest speed of each axis."""
        _, rates, square, cube = self.coefficients
        with np.errstate(divide="ignore", invalid="ignore"):
            vertex = -square / (3.0 * cube)
        inside = np.where((vertex > 0.0) & (vertex < self._spans), vertex, 0.0)
        peaks = rates + inside * (2.0 * square + 3.0 * inside * cube)
        return np.maximum(np.abs(peaks).max(axis=0), np.abs(self._ends[1]).max(axis=0))

    def compute_top_accelerations(self) -> FloatArray:
        """(n,) largest acceleration of each axis; it is linear on each piece."""
        _, _, square, cube = self.coefficients
        first, last = 2.0 * square, 2.0 * square + 6.0 * cube * self._spans
        return np.maximum(np.abs(first), np.abs(last)).max(axis=0)


def evaluate(coefficients: FloatArray, t: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Value, first and second derivative of cubics with coefficients (4, ...), constant first."""
    c0, c1, c2, c3 = coefficients
    position = c0 + t * (c1 + t * (c2 + t * c3))
    return position, c1 + t * (2.0 * c2 + 3.0 * t * c3), 2.0 * c2 + 6.0 * t * c3


def compute_smooth_velocities(
    times: FloatArray, positions: FloatArray, first: FloatArray, last: FloatArray
) -> FloatArray:
    """(k + 1, n) velocities at the knots that make the acceleration continuous.

    Args:
        times: (k + 1,) growing.
        positions: (k + 1, n).
        first: (n,) velocity at the first knot.
        last: (n,) velocity at the last knot.
    """
    velocities = np.stack([first, *np.zeros((len(times) - 2, len(first))), last])
    if len(times) == 2:
        return velocities
    spans = np.diff(times)
    slopes = np.diff(positions, axis=0) / spans[:, None]
    before, after = spans[:-1, None], spans[1:, None]
    right = 3.0 * (after * slopes[:-1] + before * slopes[1:])
    right[0] -= spans[1] * first
    right[-1] -= spans[-2] * last
    bands = np.zeros((3, len(times) - 2))
    bands[0, 1:] = spans[:-2]
    bands[1] = 2.0 * (spans[:-1] + spans[1:])
    bands[2, :-1] = spans[2:]
    velocities[1:-1] = solve_banded((1, 1), bands, right, overwrite_ab=True, overwrite_b=True, check_finite=False)
    return velocities
