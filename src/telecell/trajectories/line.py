"""A straight line of the tip, as fast as every axis allows: near a singularity it slows down and passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, NoSolution, UnknownName
from telecell.geometry import Pose
from telecell.kinematics import InverseSolver
from telecell.trajectories.cubic_spline import compute_stretch, validate_between
from telecell.trajectories.limits import LARGEST, MotionLimits
from telecell.trajectories.line_path import LinePath
from telecell.trajectories.path_timing import time_path
from telecell.trajectories.piecewise import Piecewise, compute_smooth_velocities
from telecell.trajectories.spline import SplinePlan, make_spline_plan
from telecell.trajectories.tip_line import TipLine
from telecell.trajectories.trajectory import validate_duration

_NOTHING = 1e-9
"""M and rad below which a line is no motion."""

_SPEED_SHARE, _ACCELERATION_SHARE = 0.995, 0.97
"""Of the tip's limits: cubics between knots leave the wanted speed and acceleration by less than the rest."""


@dataclass(frozen=True)
class TipLimits:
    """How fast the tip may move on a line: m/s, m/s², rad/s, rad/s²."""

    linear_speed: float
    linear_acceleration: float
    angular_speed: float
    angular_acceleration: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 1.0 / LARGEST <= value <= LARGEST:
                raise InputError(
                    f"{name.replace('_', ' ')} of the tip out of range",
                    value=value,
                    limit=f"{1.0 / LARGEST:g} to {LARGEST:g}",
                    remedy="Give a positive number, in metres or radians and seconds.",
                )

    def compute_rates(self, line: TipLine) -> tuple[float, float]:
        """Largest speed and acceleration in parts of a line."""
        length, angle = max(line.length_m, _NOTHING), max(line.angle_rad, _NOTHING)
        return (
            _SPEED_SHARE * min(self.linear_speed / length, self.angular_speed / angle),
            _ACCELERATION_SHARE * min(self.linear_acceleration / length, self.angular_acceleration / angle),
        )


def plan_line(
    solver: InverseSolver,
    limits: MotionLimits,
    start: ArrayLike,
    target: Pose,
    tip_limits: TipLimits,
    *,
    tip_offset: Pose | None = None,
    branch: Mapping[str, str] | None = None,
) -> SplinePlan:
    """Plan a straight line of the tip in the base frame, turning at a constant rate about one fixed axis.

    Args:
        solver: inverse kinematics of the robot.
        limits: of its axes, in the same order.
        start: present positions, at rest.
        target: pose of the tip, or of the tool frame beyond it, in the base frame of the chain.
        tip_limits: of the tip, or of that tool frame.
        tip_offset: pose of the tool frame in the frame of the chain's tip; the tip itself by default.
        branch: names that the arm has to keep, for example `{"wrist": "flip"}`; whatever it comes by, by default.

    Raises:
        NoSolution: the line leaves the reach, an axis would have to jump, or the branch cannot be kept.
        JointOutOfRange: a bad start, or an axis would have to leave its limits.
        UnknownName: a branch that does not exist.
        InputError: the motion would hardly ever end.
    """
    here, offset = limits.validate_joints(start, "start"), tip_offset or Pose.identity()
    _validate_branch(solver, branch or {})
    _validate_target(solver, target)
    line = TipLine(solver.chain.forward(here) @ offset, target, offset)
    if max(line.length_m, line.angle_rad) < _NOTHING:
        return make_spline_plan(np.zeros(1), here[None], np.zeros((1, len(here))))
    tracer = LinePath(solver, limits, line, here)
    path = tracer.trace()
    tracer.validate_branch(branch or {})
    times, positions = time_path(limits, path, *tip_limits.compute_rates(line))
    rest = np.zeros(len(here))
    velocities = compute_smooth_velocities(times, positions, rest, rest)
    pieces = Piecewise(times, positions, velocities)
    validate_between(limits, here, pieces)
    stretch = max(1.0, compute_stretch(limits, pieces))
    validate_duration(float(times[-1]) * stretch)
    return make_spline_plan(times * stretch, positions, velocities / stretch)


def _validate_target(solver: InverseSolver, target: Pose) -> None:
    if np.abs(target.position).max() > LARGEST:
        raise NoSolution(
            "the target is beyond any reach",
            where=solver.chain.name,
            value=target.position.tolist(),
            limit=f"{LARGEST:g} m",
            remedy="Positions are in metres.",
        )


def _validate_branch(solver: InverseSolver, branch: Mapping[str, str]) -> None:
    for key, value in branch.items():
        if key not in solver.branch_names:
            raise UnknownName("branch key", key, list(solver.branch_names), where=solver.chain.name)
        if value not in solver.branch_names[key]:
            raise UnknownName(f"branch {key}", value, solver.branch_names[key], where=solver.chain.name)
