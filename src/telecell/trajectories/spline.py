"""Cubic pieces through knots in joint space: the plan that via points and Cartesian lines end in."""

from __future__ import annotations

from bisect import bisect_right

import msgspec
import numpy as np

from telecell.geometry import FloatArray
from telecell.trajectories.damage import build_damage, read_fields
from telecell.trajectories.piecewise import Piecewise, evaluate
from telecell.trajectories.trajectory import LONGEST_S, SHORTEST_S, Sample, Trajectory, rest_at

MOST_KNOTS = 10_000


class SplinePlan(msgspec.Struct, frozen=True, tag="spline"):
    """From rest at the first knot to rest at the last.

    Attributes:
        times_s: of the knots, from 0, growing; a single knot is no motion.
        positions: of each knot, one value per axis.
        velocities: of each knot; zero at both ends.
    """

    times_s: tuple[float, ...]
    positions: tuple[tuple[float, ...], ...]
    velocities: tuple[tuple[float, ...], ...]


class Spline(Trajectory):
    """The motion of a `SplinePlan`. Its acceleration begins and ends with a step where the cubics' does."""

    def __init__(self, plan: SplinePlan):
        """Read the plan.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        times, positions, velocities = _read(plan)
        self._times: list[float] = times.tolist()
        if len(times) > 1:
            self._pieces = Piecewise(times, positions, velocities)
            self._rows = self._pieces.coefficients.transpose(1, 0, 2).copy()
        super().__init__(plan, self._times[-1], rest_at(positions[0].copy()), positions[-1].copy())

    def _compute(self, t_s: float) -> Sample:
        piece = bisect_right(self._times, t_s) - 1
        return Sample(*evaluate(self._rows[piece], t_s - self._times[piece]))

    def _compute_many(self, times_s: FloatArray) -> Sample:
        return Sample(*self._pieces.evaluate(times_s))


def stretch_spline(plan: SplinePlan, factor: float) -> SplinePlan:
    """The same path, `factor` times as slow."""
    times, velocities = np.array(plan.times_s) * factor, np.array(plan.velocities) / factor
    return make_spline_plan(times, np.array(plan.positions), velocities)


def make_spline_plan(times: FloatArray, positions: FloatArray, velocities: FloatArray) -> SplinePlan:
    """The plan of checked arrays (k + 1,), (k + 1, n), (k + 1, n)."""
    return SplinePlan(
        times_s=tuple(times.tolist()),
        positions=tuple(map(tuple, positions.tolist())),
        velocities=tuple(map(tuple, velocities.tolist())),
    )


def _read(plan: SplinePlan) -> tuple[FloatArray, FloatArray, FloatArray]:
    if not 1 <= len(plan.times_s) <= MOST_KNOTS:
        raise build_damage(plan, "times_s", len(plan.times_s), f"1 to {MOST_KNOTS} knots")
    (times,) = read_fields(plan, ("times_s",))
    positions, velocities = read_fields(plan, ("positions", "velocities"), dimensions=2)
    if len(positions) != len(times):
        raise build_damage(plan, "positions", len(positions), f"{len(times)} knots")
    if times[0] != 0.0 or times[-1] > LONGEST_S or (np.diff(times) < SHORTEST_S).any():
        raise build_damage(plan, "times_s", plan.times_s, f"0 to {LONGEST_S:g} s, growing")
    if velocities[0].any() or velocities[-1].any():
        raise build_damage(plan, "velocities", plan.velocities, "0 at both ends")
    return times, positions, velocities
