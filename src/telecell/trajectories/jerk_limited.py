"""The default scheme: as fast as velocity, acceleration and jerk allow, straight in joint space from rest to rest."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import ruckig
from numpy.typing import ArrayLike

from telecell.geometry import FloatArray
from telecell.trajectories.damage import build_damage, read_fields, read_positive
from telecell.trajectories.limits import ROUNDING, MotionLimits
from telecell.trajectories.ruckig_motion import RuckigMotion, calculate
from telecell.trajectories.straight import StraightMotion
from telecell.trajectories.trajectory import LONGEST_S, Trajectory, validate_duration

SMALLEST_SHARE = 1e-9
"""An axis that moves less than this part of the farthest way does not limit the others."""


class JerkLimitedPlan(msgspec.Struct, frozen=True, tag="jerk_limited"):
    """From any state to rest at a goal.

    Attributes:
        start: position of each axis, rad or m.
        velocity: at the start.
        acceleration: at the start.
        goal: where each axis comes to rest.
        synchronised: all axes arrive together, and from rest on a straight line; otherwise each axis arrives as
            early as it can.
        least_duration_s: the motion takes at least so long.
    """

    start: tuple[float, ...]
    velocity: tuple[float, ...]
    acceleration: tuple[float, ...]
    goal: tuple[float, ...]
    max_velocity: tuple[float, ...]
    max_acceleration: tuple[float, ...]
    max_jerk: tuple[float, ...]
    synchronised: bool = True
    least_duration_s: float = 0.0


class StraightJerkLimited(StraightMotion):
    """From rest to rest, on a straight line.

    Ruckig's own synchronisation leaves the line where another axis than the slowest would exceed a limit; so it
    plans one motion along the line, under the limits that the axes leave for it.
    """

    def __init__(self, plan: JerkLimitedPlan):
        """Compute the motion.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, goal, *_ = read_fields(plan, ("start", "goal", "velocity", "acceleration"))
        tops = read_positive(plan, ("max_velocity", "max_acceleration", "max_jerk"), len(start))
        ways = np.abs(goal - start)
        # Measured along the axis that moves farthest, so that its numbers stay in the range that ruckig knows.
        self._farthest = float(ways.max()) or 1.0
        shares = np.maximum(ways / self._farthest, SMALLEST_SHARE)
        parameters = ruckig.InputParameter(1)
        parameters.target_position = [float(ways.max())]
        parameters.minimum_duration = _read_least_duration(plan)
        parameters.max_velocity, parameters.max_acceleration, parameters.max_jerk = (
            [float((top / shares).min())] for top in tops
        )
        self._motion = calculate(parameters)
        super().__init__(plan, start, goal, self._motion.duration)

    def _compute_law(self, t_s: Any) -> tuple[Any, Any, Any]:
        if isinstance(t_s, float):
            (x,), (dx,), (ddx,) = self._motion.at_time(t_s)
            return x / self._farthest, dx / self._farthest, ddx / self._farthest
        s, ds, dds = np.array([self._motion.at_time(t) for t in t_s.tolist()])[:, :, 0].T / self._farthest
        return s, ds, dds


class JerkLimited(RuckigMotion):
    """From a moving start, or each axis as early as it can."""

    def __init__(self, plan: JerkLimitedPlan):
        """Compute the motion.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, velocity, acceleration, goal = read_fields(plan, ("start", "velocity", "acceleration", "goal"))
        read_positive(plan, ("max_velocity", "max_acceleration", "max_jerk"), len(start))
        parameters = ruckig.InputParameter(len(start))
        parameters.current_position = start.tolist()
        parameters.current_velocity = velocity.tolist()
        parameters.current_acceleration = acceleration.tolist()
        parameters.target_position = goal.tolist()
        parameters.max_velocity = list(plan.max_velocity)
        parameters.max_acceleration = list(plan.max_acceleration)
        parameters.max_jerk = list(plan.max_jerk)
        parameters.synchronization = ruckig.Synchronization.Phase if plan.synchronised else ruckig.Synchronization.No
        parameters.minimum_duration = _read_least_duration(plan)
        super().__init__(plan, parameters, goal)


def build_jerk_limited(plan: JerkLimitedPlan) -> Trajectory:
    """The motion of a plan.

    Raises:
        SnapshotMismatch: the plan is damaged.
    """
    moving = any(plan.velocity) or any(plan.acceleration)
    return StraightJerkLimited(plan) if plan.synchronised and not moving else JerkLimited(plan)


def plan_jerk_limited(
    limits: MotionLimits,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    synchronised: bool = True,
    least_duration_s: float = 0.0,
) -> JerkLimitedPlan:
    """Plan a motion to rest at a goal.

    Args:
        limits: of the axes.
        start: present positions, inside the limits or not.
        goal: inside the limits, or not farther out than the start.
        velocity: present velocities; rest by default. What is above the limit is braked.
        acceleration: present accelerations; zero by default. What is above the limit is clipped.
        synchronised: whether all axes arrive together.
        least_duration_s: take at least so long.

    Raises:
        JointOutOfRange: a bad start or goal; or the axes move so fast that one of them cannot help leaving its
            limits, whatever it does: then brake instead, and go on from rest.
        InputError: the motion would hardly ever end.
    """
    there = limits.validate_goal(start, goal)
    here = limits.validate_joints(start, "start")
    validate_duration(max(float((np.abs(there - here) / limits.velocity).max()), least_duration_s))
    rates = _read_rates(limits, velocity, "velocity")
    bound = limits.acceleration
    accelerations = np.clip(_read_rates(limits, acceleration, "acceleration"), -bound, bound)
    plan = JerkLimitedPlan(
        start=tuple(here.tolist()),
        velocity=tuple(rates.tolist()),
        acceleration=tuple(accelerations.tolist()),
        goal=tuple(there.tolist()),
        max_velocity=tuple(limits.velocity.tolist()),
        max_acceleration=tuple(limits.acceleration.tolist()),
        max_jerk=tuple(limits.jerk.tolist()),
        synchronised=synchronised,
        least_duration_s=least_duration_s,
    )
    if rates.any() or accelerations.any():
        _validate_overshoot(limits, here, JerkLimited(plan))
    return plan


def _read_least_duration(plan: JerkLimitedPlan) -> float | None:
    if not 0.0 <= plan.least_duration_s <= LONGEST_S:
        raise build_damage(plan, "least_duration_s", plan.least_duration_s, f"0 to {LONGEST_S:g} s")
    return plan.least_duration_s or None


def _read_rates(limits: MotionLimits, values: ArrayLike | None, what: str) -> FloatArray:
    return np.zeros(len(limits)) if values is None else limits.validate_joints(values, what)


def _validate_overshoot(limits: MotionLimits, start: FloatArray, motion: JerkLimited) -> None:
    allowed = limits.compute_range(start)
    extremes = motion.extremes
    excess = np.maximum(allowed[:, 0] - extremes[:, 0], extremes[:, 1] - allowed[:, 1])
    axis = int(np.argmax(excess))
    if excess[axis] > ROUNDING:
        below = extremes[axis, 0] < allowed[axis, 0]
        raise limits.build_refusal(
            "too fast to stay inside the limits",
            axis,
            extremes[axis, 0 if below else 1],
            allowed,
            "Brake first, then move from rest.",
        )
