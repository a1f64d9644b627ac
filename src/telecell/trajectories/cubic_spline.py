"""Through via points without stopping: cubic splines with Craig's three choices of via velocities.

J. J. Craig, Introduction to Robotics, chapter on trajectory generation: velocities at the via points are given, or
taken from the slopes of the legs by a rule of thumb, or chosen such that the acceleration is continuous.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, UnknownName
from telecell.geometry import FloatArray
from telecell.trajectories.limits import ROUNDING, MotionLimits
from telecell.trajectories.piecewise import Piecewise, compute_smooth_velocities
from telecell.trajectories.spline import MOST_KNOTS, SplinePlan, make_spline_plan
from telecell.trajectories.trajectory import SHORTEST_S, validate_duration

ViaVelocity = Literal["smooth", "average", "given"]


def plan_spline(
    limits: MotionLimits,
    start: ArrayLike,
    points: Sequence[ArrayLike],
    *,
    via: ViaVelocity = "smooth",
    velocities: Sequence[ArrayLike] | None = None,
) -> SplinePlan:
    """Plan a motion through points, from rest at the start to rest at the last of them.

    The times of the legs are in proportion to what each leg would need from rest to rest. Then the whole motion is
    made as quick as velocity and acceleration allow, by the extremes of the polynomials. Given velocities are never
    raised by that; where the limits demand a slower motion, they are lowered with all others.

    Args:
        limits: of the axes.
        start: present positions, at rest.
        points: via points and the goal; a point equal to the one before it is left out.
        via: `"smooth"` for continuous acceleration; `"average"` for the mean slope of the two legs, and zero where an
            axis turns round; `"given"` for the velocities.
        velocities: one row for each via point (not for the goal), only with `"given"`.

    Raises:
        JointOutOfRange: a point that is bad or outside the limits, or a spline that leaves them between its points.
        UnknownName: another word for `via`.
        InputError: no point, too many, velocities that do not go with the points; or the motion would hardly ever end.
    """
    if via not in get_args(ViaVelocity):
        raise UnknownName("choice of via velocities", via, get_args(ViaVelocity))
    knots, rates = _read_points(limits, start, points), _read_velocities(limits, points, via, velocities)
    moved = np.append(True, np.diff(knots, axis=0).any(axis=1))
    knots, rates = knots[moved], rates[moved]
    if len(knots) == 1:
        return make_spline_plan(np.zeros(1), knots, np.zeros_like(knots))
    times = _compute_times(limits, knots)
    if via != "given":
        rates = _choose_velocities(times, knots, via)
    rates[-1] = 0.0
    pieces = Piecewise(times, knots, rates)
    validate_between(limits, knots[0], pieces)
    stretch = compute_stretch(limits, pieces)
    stretch = max(stretch, 1.0) if via == "given" else max(stretch, SHORTEST_S / float(np.diff(times).min()))
    validate_duration(float(times[-1]) * stretch)
    return make_spline_plan(times * stretch, knots, rates / stretch)


def compute_stretch(limits: MotionLimits, pieces: Piecewise) -> float:
    """The factor on all times at which the pieces just keep velocity and acceleration; a hair more, for rounding."""
    faster = (pieces.compute_top_speeds() / limits.velocity).max()
    harder = (pieces.compute_top_accelerations() / limits.acceleration).max()
    return max(float(faster), sqrt(harder)) * (1.0 + 1e-9)


def _read_points(limits: MotionLimits, start: ArrayLike, points: Sequence[ArrayLike]) -> FloatArray:
    if not 1 <= len(points) < MOST_KNOTS:
        raise InputError(
            "a spline needs points", value=len(points), limit=f"1 to {MOST_KNOTS - 1}", remedy="Give at least the goal."
        )
    here = limits.validate_joints(start, "start")
    return np.stack([here, *(limits.validate_goal(here, point) for point in points)])


def _read_velocities(
    limits: MotionLimits, points: Sequence[ArrayLike], via: str, velocities: Sequence[ArrayLike] | None
) -> FloatArray:
    """One row for each knot, zero where nothing is given."""
    count = len(points) - 1
    given = () if velocities is None else velocities
    if (via == "given") != (velocities is not None) or len(given) != (count if via == "given" else 0):
        raise InputError(
            "velocities do not go with the via points",
            value=f"{len(given)} rows with via={via!r}",
            limit=f"{count} rows with via='given', else none",
            remedy="With via='given', give one row for each point but the last.",
        )
    rows = np.zeros((count + 2, len(limits)))
    for row, values in zip(rows[1:-1], given, strict=False):
        row[:] = limits.validate_joints(values, "via velocity")
    return rows


def _compute_times(limits: MotionLimits, knots: FloatArray) -> FloatArray:
    """Times at which each leg would keep the limits from rest to rest: peaks 1.5 way / t and 6 way / t²."""
    ways = np.abs(np.diff(knots, axis=0))
    legs = np.maximum(1.5 * ways / limits.velocity, np.sqrt(6.0 * ways / limits.acceleration)).max(axis=1)
    return np.append(0.0, np.cumsum(np.maximum(legs, SHORTEST_S)))


def _choose_velocities(times: FloatArray, knots: FloatArray, via: str) -> FloatArray:
    rest = np.zeros(knots.shape[1])
    if via == "smooth":
        return compute_smooth_velocities(times, knots, rest, rest)
    slopes = np.diff(knots, axis=0) / np.diff(times)[:, None]
    before, after = slopes[:-1], slopes[1:]
    return np.stack([rest, *np.where(before * after > 0.0, (before + after) / 2.0, 0.0), rest])


def validate_between(limits: MotionLimits, start: FloatArray, pieces: Piecewise) -> None:
    """Check that motion from a start keeps its range between the knots as well.

    Raises:
        JointOutOfRange: it does not.
    """
    allowed, extremes = limits.compute_range(start), pieces.compute_extremes()
    excess = np.stack([allowed[:, 0] - extremes[:, 0], extremes[:, 1] - allowed[:, 1]], axis=1)
    axis, side = np.unravel_index(int(np.argmax(excess)), excess.shape)
    if excess[axis, side] > ROUNDING:
        raise limits.build_refusal(
            "the spline leaves the limits between its points",
            int(axis),
            extremes[axis, side],
            allowed,
            "Add points in between, move them away from the limit, or choose via='average'.",
        )
