"""The default scheme: as fast as velocity, acceleration and jerk allow, straight in joint space from rest to rest."""

from __future__ import annotations

import msgspec
import numpy as np
import ruckig
from numpy.typing import ArrayLike

from telecell.geometry import FloatArray
from telecell.trajectories.damage import build_damage, read_fields, read_positive
from telecell.trajectories.limits import LARGEST, ROUNDING, MotionLimits
from telecell.trajectories.ruckig_motion import RuckigMotion
from telecell.trajectories.trajectory import validate_duration


class JerkLimitedPlan(msgspec.Struct, frozen=True, tag="jerk_limited"):
    """From any state to rest at a goal.

    Attributes:
        start: position of each axis, rad or m.
        velocity: at the start.
        acceleration: at the start.
        goal: where each axis comes to rest.
        synchronised: all axes arrive together, on a straight line where the start allows it; otherwise each axis
            arrives as early as it can.
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


class JerkLimited(RuckigMotion):
    """The motion of a `JerkLimitedPlan`."""

    def __init__(self, plan: JerkLimitedPlan):
        """Compute the motion.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, velocity, acceleration, goal = read_fields(plan, ("start", "velocity", "acceleration", "goal"))
        read_positive(plan, ("max_velocity", "max_acceleration", "max_jerk"), len(start))
        if not 0.0 <= plan.least_duration_s <= LARGEST:  # also true for NaN
            raise build_damage(plan, "least_duration_s", plan.least_duration_s, "a time")
        parameters = ruckig.InputParameter(len(start))
        if plan.least_duration_s:
            parameters.minimum_duration = plan.least_duration_s
        parameters.current_position = start.tolist()
        parameters.current_velocity = velocity.tolist()
        parameters.current_acceleration = acceleration.tolist()
        parameters.target_position = goal.tolist()
        parameters.max_velocity = list(plan.max_velocity)
        parameters.max_acceleration = list(plan.max_acceleration)
        parameters.max_jerk = list(plan.max_jerk)
        parameters.synchronization = ruckig.Synchronization.Phase if plan.synchronised else ruckig.Synchronization.No
        super().__init__(plan, parameters, goal)


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
    validate_duration((np.abs(there - here) / limits.velocity).max())
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
