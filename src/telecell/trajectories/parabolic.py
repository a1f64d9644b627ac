"""Linear with parabolic blends (scheme 1 of MIT AI Working Paper 272).

Every axis reaches its cruising velocity over one common blend time, 2 tau, and leaves it over the same time. Where the
next segment begins one blend time before this one ends and both are added, the result is the paper's blend around the
knot between them, `compute_blend`.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError
from telecell.geometry import FloatArray
from telecell.trajectories.damage import build_damage, read_duration, read_fields
from telecell.trajectories.limits import MotionLimits
from telecell.trajectories.straight import StraightMotion
from telecell.trajectories.trajectory import SHORTEST_S, validate_duration

LONGEST_BLEND_S = 60.0


class ParabolicPlan(msgspec.Struct, frozen=True, tag="parabolic"):
    """From rest at `start` to rest at `goal`; `blend_s` at most half of `duration_s`."""

    start: tuple[float, ...]
    goal: tuple[float, ...]
    blend_s: float
    duration_s: float


class Parabolic(StraightMotion):
    """The motion of a `ParabolicPlan`."""

    def __init__(self, plan: ParabolicPlan):
        """Read the plan.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, goal = read_fields(plan, ("start", "goal"))
        super().__init__(plan, start, goal, read_duration(plan, "duration_s", plan.start != plan.goal))
        self._blend_s = read_duration(plan, "blend_s", self.duration_s > 0.0)
        # Rounding may leave a triangle (no cruise) a little short of two blends.
        if 2.0 * self._blend_s > self.duration_s * (1.0 + 1e-9):
            raise build_damage(plan, "blend_s", plan.blend_s, f"half of {self.duration_s:g} s")

    def _compute_law(self, t_s: Any) -> tuple[Any, Any, Any]:
        blend, slowing = self._blend_s, self.duration_s - self._blend_s
        rise = np.minimum(t_s, blend)
        fall = np.maximum(t_s - slowing, 0.0)
        cruise = np.clip(t_s - blend, 0.0, slowing - blend) if slowing > blend else 0.0
        s = (rise**2 - fall**2) / (2.0 * blend) + cruise + fall
        dds = np.less(t_s, blend) * 1.0 - np.greater(t_s, slowing)
        return s / slowing, (rise - fall) / (blend * slowing), dds / (blend * slowing)


def plan_parabolic(
    limits: MotionLimits, start: ArrayLike, goal: ArrayLike, *, blend_s: float | None = None
) -> ParabolicPlan:
    """Plan a linear motion with parabolic blends, the quickest within velocity and acceleration.

    Args:
        limits: of the axes.
        start: present positions, at rest.
        goal: where to come to rest.
        blend_s: time from rest to cruising velocity, 2 tau; the one that makes the motion quickest by default.

    Raises:
        JointOutOfRange: a bad start or goal.
        InputError: a blend time that is no time, or too short for the acceleration of an axis; or the motion would
            hardly ever end.
    """
    there = limits.validate_goal(start, goal)
    here = limits.validate_joints(start, "start")
    way = np.abs(there - here)
    # From the beginning of the motion to that of slowing down it takes way / velocity at least.
    fastest_s = float((way / limits.velocity).max())
    shortest_s = _compute_shortest_blend(fastest_s, float((way / limits.acceleration).max()))
    blend = shortest_s if blend_s is None else _validate_blend(limits, way, blend_s, fastest_s, shortest_s)
    if not way.any():
        return ParabolicPlan(tuple(here.tolist()), tuple(there.tolist()), 0.0, 0.0)
    blend = max(blend, SHORTEST_S)
    duration_s = validate_duration(max(fastest_s, blend) + blend)
    return ParabolicPlan(tuple(here.tolist()), tuple(there.tolist()), blend, duration_s)


def compute_blend(knot: ArrayLike, v1: ArrayLike, v2: ArrayLike, tau_s: float, times_s: ArrayLike) -> FloatArray:
    """Positions around a knot where the velocity changes from v1 to v2 between -tau and tau.

        K + v1 t + (v2 - v1) (t + tau)² / (4 tau)

    The path misses the knot by (v2 - v1) tau / 4; the acceleration is (v2 - v1) / (2 tau).

    Args:
        knot: position at which the straight lines meet; a number, or an array that goes with the times.
        v1: velocity before.
        v2: velocity after.
        tau_s: half of the blend time.
        times_s: -tau to tau, seconds from the knot.
    """
    t, at, before, after = (np.asarray(values, dtype=np.float64) for values in (times_s, knot, v1, v2))
    return at + before * t + (after - before) * (t + tau_s) ** 2 / (4.0 * tau_s)


def _compute_shortest_blend(fastest_s: float, needed_s2: float) -> float:
    """The blend of the quickest motion, for the largest way / velocity and way / acceleration of any axis.

    With the time m from the start to slowing down, the acceleration is way / (m blend), and m is at least one blend.
    """
    triangle_s = sqrt(needed_s2)
    return triangle_s if triangle_s >= fastest_s else needed_s2 / fastest_s


def _validate_blend(
    limits: MotionLimits, way: FloatArray, blend_s: float, fastest_s: float, shortest_s: float
) -> float:
    if not 0.0 < blend_s <= LONGEST_BLEND_S:
        raise InputError(
            "blend time out of range",
            value=blend_s,
            limit=f"above 0, at most {LONGEST_BLEND_S:g} s",
            remedy="Leave it out to get the quickest motion.",
        )
    if blend_s >= shortest_s:
        return blend_s
    accelerations = way / (max(fastest_s, blend_s) * blend_s)
    axis = int(np.argmax(accelerations / limits.acceleration))
    raise InputError(
        f"a blend of {blend_s:g} s is too short for the acceleration",
        where=limits.describe_axis(axis),
        value=limits.describe_value(axis, accelerations[axis], "/s²"),
        limit=limits.describe_value(axis, limits.acceleration[axis], "/s²"),
        remedy=f"Give at least {ceil(1e4 * shortest_s) / 1e4:g} s, or a lower speed.",
    )
