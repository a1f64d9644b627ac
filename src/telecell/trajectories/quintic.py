"""Fifth degree: zero velocity and acceleration at both ends (scheme 2 of MIT AI Working Paper 272)."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from telecell.trajectories.damage import read_duration, read_fields
from telecell.trajectories.limits import MotionLimits
from telecell.trajectories.straight import StraightMotion
from telecell.trajectories.trajectory import validate_duration

PEAK_VELOCITY, PEAK_ACCELERATION, PEAK_JERK = 1.875, 10.0 / 3.0**0.5, 60.0
"""Largest derivatives of s(u) = 10 u³ - 15 u⁴ + 6 u⁵: at the middle, at u = 1/2 ± 1/√12, and at the ends."""


class QuinticPlan(msgspec.Struct, frozen=True, tag="quintic"):
    """From rest at `start` to rest at `goal`."""

    start: tuple[float, ...]
    goal: tuple[float, ...]
    duration_s: float


class Quintic(StraightMotion):
    """The motion of a `QuinticPlan`."""

    def __init__(self, plan: QuinticPlan):
        """Read the plan.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, goal = read_fields(plan, ("start", "goal"))
        super().__init__(plan, start, goal, read_duration(plan, "duration_s", plan.start != plan.goal))

    def _compute_law(self, t_s: Any) -> tuple[Any, Any, Any]:
        u = t_s / self.duration_s
        s = u**3 * (10.0 + u * (6.0 * u - 15.0))
        ds = 30.0 * (u * (1.0 - u)) ** 2
        dds = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u)
        return s, ds / self.duration_s, dds / self.duration_s**2


def plan_quintic(limits: MotionLimits, start: ArrayLike, goal: ArrayLike) -> QuinticPlan:
    """Plan the quickest quintic within velocity, acceleration and jerk.

    Raises:
        JointOutOfRange: a bad start or goal.
        InputError: the motion would hardly ever end.
    """
    there = limits.validate_goal(start, goal)
    here = limits.validate_joints(start, "start")
    way = np.abs(there - here)
    needed = max(
        (PEAK_VELOCITY * way / limits.velocity).max(),
        np.sqrt(PEAK_ACCELERATION * way / limits.acceleration).max(),
        np.cbrt(PEAK_JERK * way / limits.jerk).max(),
    )
    duration_s = validate_duration(float(needed)) if way.any() else 0.0
    return QuinticPlan(tuple(here.tolist()), tuple(there.tolist()), duration_s)
