"""From any state to rest, each axis by itself, as fast as acceleration and jerk allow."""

from __future__ import annotations

import msgspec
import numpy as np
import ruckig
from numpy.typing import ArrayLike

from telecell.trajectories.damage import read_fields, read_positive
from telecell.trajectories.limits import MotionLimits
from telecell.trajectories.ruckig_motion import RuckigMotion


class BrakePlan(msgspec.Struct, frozen=True, tag="brake"):
    """From a state to rest.

    Attributes:
        start: position of each axis, rad or m.
        velocity: at the start.
        acceleration: at the start, within the limits.
    """

    start: tuple[float, ...]
    velocity: tuple[float, ...]
    acceleration: tuple[float, ...]
    max_acceleration: tuple[float, ...]
    max_jerk: tuple[float, ...]


class Brake(RuckigMotion):
    """The motion of a `BrakePlan`."""

    def __init__(self, plan: BrakePlan):
        """Compute the motion.

        Raises:
            SnapshotMismatch: the plan is damaged.
        """
        start, velocity, acceleration = read_fields(plan, ("start", "velocity", "acceleration"))
        read_positive(plan, ("max_acceleration", "max_jerk"), len(start))
        parameters = ruckig.InputParameter(len(start))
        parameters.control_interface = ruckig.ControlInterface.Velocity
        parameters.synchronization = ruckig.Synchronization.No
        parameters.current_position = start.tolist()
        parameters.current_velocity = velocity.tolist()
        parameters.current_acceleration = acceleration.tolist()
        parameters.max_acceleration = list(plan.max_acceleration)
        parameters.max_jerk = list(plan.max_jerk)
        super().__init__(plan, parameters, None)


def plan_brake(limits: MotionLimits, start: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike) -> BrakePlan:
    """Plan a stop from any state, inside the limits or not.

    Args:
        limits: of the axes; positions and speeds beyond them are accepted.
        start: present positions.
        velocity: present velocities.
        acceleration: present accelerations; clipped to the limits.

    Raises:
        JointOutOfRange: wrong count, not finite, or a number that no robot can have.
    """
    here = limits.validate_joints(start, "position")
    rates = limits.validate_joints(velocity, "velocity")
    bound = limits.acceleration
    accelerations = np.clip(limits.validate_joints(acceleration, "acceleration"), -bound, bound)
    return BrakePlan(
        start=tuple(here.tolist()),
        velocity=tuple(rates.tolist()),
        acceleration=tuple(accelerations.tolist()),
        max_acceleration=tuple(limits.acceleration.tolist()),
        max_jerk=tuple(limits.jerk.tolist()),
    )
