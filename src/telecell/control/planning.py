"""From a request to move to a trajectory: where to, by which scheme, and not faster than the tips may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import radians

import numpy as np
from numpy.typing import NDArray

from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.errors import InputError, NoSolution
from telecell.geometry import Pose, oat_from_rotation, rotation_from_oat, rotation_from_vector
from telecell.kinematics.placements import to_pose
from telecell.messages import moves
from telecell.trajectories import (
    AnyPlan,
    MotionLimits,
    SplinePlan,
    TipLimits,
    Trajectory,
    build,
    plan_jerk_limited,
    plan_line,
    plan_parabolic,
    plan_quintic,
    plan_spline,
    stretch_spline,
)

Array = NDArray[np.float64]

LINE_ACCELERATION_M_S2 = 1.5
LINE_TURN_RAD_S = radians(120)
LINE_TURN_RAD_S2 = radians(480)

TIP_SAMPLES = 17
TIP_ROUNDS = 3
STREAM_SAMPLES = 5
LEAST_SHARE = 1e-3
TIP_RESERVE = 0.98
"""A plan stays this far below the tip speed, so that the path rate need not act on it."""

LARGEST_TURN = radians(60)
"""The farthest that one set-point of a streamed pose may take an axis: beyond it, the branch has changed."""

_JOINT_PLANNERS = {"jerk_limited": plan_jerk_limited, "parabolic": plan_parabolic, "quintic": plan_quintic}


def plan_move(core: Core, arm: Arm, request: moves.AnyMove) -> Trajectory:
    """The motion that a request asks for, from the end of what is queued.

    Raises:
        TelecellError: it cannot be, and why.
    """
    start = core.get_queue_end(arm)
    limits = arm.limits.scaled(request.speed)
    if not 0.0 <= request.blend <= 1.0:
        raise InputError("blend is not a share", value=request.blend, limit="0 to 1")
    match request:
        case moves.MoveLine():
            return _plan_line(core, arm, limits, start, _find_tool_target(core, arm, start, request), request.speed)
        case moves.MovePoseBy(straight=True):
            return _plan_line(core, arm, limits, start, _find_increment(core, arm, start, request), request.speed)
        case moves.MoveVia():
            velocities = request.velocities or None
            return _fit_spline(
                core, arm, plan_spline(limits, start, request.points, via=request.via, velocities=velocities)
            )
        case moves.Home():
            goal, scheme = np.array(arm.start), "jerk_limited"
        case moves.MovePoseBy():
            goal, scheme = _solve(core, arm, start, _find_increment(core, arm, start, request), {}), "jerk_limited"
        case moves.MovePose():
            target = _find_tool_target(core, arm, start, request)
            goal, scheme = _solve(core, arm, start, target, request.branch), request.scheme
        case moves.MoveNamed():
            goal, scheme = np.array(arm.get_pose(request.pose)), request.scheme
        case moves.MoveJointsBy():
            goal, scheme = start + arm.limits.validate_joints(request.increments, "increment"), request.scheme
        case moves.MoveJoints():
            goal, scheme = arm.limits.validate_joints(request.joints, "joints"), request.scheme
    planner = _JOINT_PLANNERS[scheme]
    return _fit_tips(core, arm, limits, lambda slower: planner(slower, start, goal))


def solve_set_point(core: Core, arm: Arm, request: moves.StreamPose, near: Array) -> Array:
    """The joint values of a streamed pose, on the branch where the robot is.

    Raises:
        NoSolution: out of reach, or only with a jump to another branch.
    """
    tool = arm.locate(request.frame, near, core.user_frames, core.cell) @ to_pose(request.target)
    goal = np.array(arm.solver.solve(arm.compute_tip(tool), reference=near).best.joints)
    turn = np.abs(goal - near) * np.array([kind == "hinge" for kind in arm.limits.kinds])
    if turn.max(initial=0.0) > LARGEST_TURN:
        axis = int(np.argmax(turn))
        raise NoSolution(
            "the set-point can only be reached by a jump to another branch",
            where=f"robot {arm.name}, {arm.limits.describe_axis(axis)}",
            value=arm.limits.describe_value(axis, float(goal[axis] - near[axis])),
            limit=arm.limits.describe_value(axis, LARGEST_TURN),
            remedy="Stream smaller steps, or end the stream and move in joints.",
        )
    return goal


def compute_stream_share(core: Core, arm: Arm) -> float:
    """The share of the axes' speeds with which a stream keeps the speed of the tips on the way to its set-point."""
    trajectory = arm.motion.timeline.segments[0].trajectory
    excess, speeds = _measure_tips(core, arm, trajectory, STREAM_SAMPLES)
    used = float((speeds / arm.limits.velocity).max())
    return max(used / excess, LEAST_SHARE) if excess > used else 1.0


def _find_tool_target(core: Core, arm: Arm, start: Array, request: moves.MovePose | moves.MoveLine) -> Pose:
    core.place(arm, start)
    return arm.locate(request.frame, start, core.user_frames, core.cell) @ to_pose(request.target)


def _find_increment(core: Core, arm: Arm, start: Array, request: moves.MovePoseBy) -> Pose:
    """The tool, moved by an increment that is stated in a frame."""
    core.place(arm, start)
    tool = arm.compute_tool(start)
    axes = arm.locate(request.frame, start, core.user_frames, core.cell).rotation
    position = tool.position + axes @ Pose.translation(*request.translation_m).position
    if request.oat_rad is None:
        turn = axes @ rotation_from_vector(request.rotation_rad) @ axes.T
        return Pose(turn @ tool.rotation, position)
    if any(request.rotation_rad):
        raise InputError("give either rotation_rad or oat_rad", value=request.rotation_rad, limit="one of them")
    return Pose(rotation_from_oat(oat_from_rotation(tool.rotation) + request.oat_rad), position)


def _solve(core: Core, arm: Arm, start: Array, tool_in_base: Pose, branch: dict[str, str]) -> Array:
    core.place(arm, start)
    result = arm.solver.solve(arm.compute_tip(tool_in_base), reference=start, branch=branch or arm.branch or None)
    return np.array(result.best.joints)


def _plan_line(
    core: Core, arm: Arm, limits: MotionLimits, start: Array, tool_in_base: Pose, speed: float
) -> Trajectory:
    core.place(arm, start)
    tip = TipLimits(
        linear_speed=speed * TIP_RESERVE * core.tip_guard.get_speed(arm),
        linear_acceleration=LINE_ACCELERATION_M_S2,
        angular_speed=speed * LINE_TURN_RAD_S,
        angular_acceleration=LINE_TURN_RAD_S2,
    )
    plan = plan_line(arm.solver, limits, start, tool_in_base, tip, tip_offset=arm.tool, branch=arm.branch)
    return _fit_spline(core, arm, plan)


def _fit_spline(core: Core, arm: Arm, plan: SplinePlan) -> Trajectory:
    """Follow the same path more slowly, until no tip is too fast."""
    trajectory = build(plan)
    excess = _measure_tips(core, arm, trajectory)[0]
    return trajectory if excess <= 1.0 else build(stretch_spline(plan, excess))


def _fit_tips(core: Core, arm: Arm, limits: MotionLimits, plan: Callable[[MotionLimits], AnyPlan]) -> Trajectory:
    """Plan, and plan slower until no tip is too fast; the path rate takes care of what remains."""
    trajectory = build(plan(limits))
    for _ in range(TIP_ROUNDS):
        excess, speeds = _measure_tips(core, arm, trajectory)
        if excess <= 1.0:
            break
        used = float((speeds / limits.velocity).max())
        limits = replace(limits, velocity=limits.velocity * used / excess)
        trajectory = build(plan(limits))
    return trajectory


def _measure_tips(core: Core, arm: Arm, trajectory: Trajectory, samples: int = TIP_SAMPLES) -> tuple[float, Array]:
    """The greatest tip speed on the way as a share of what a plan may use, and the greatest speed of each axis."""
    sample = trajectory.sample(np.linspace(0.0, trajectory.duration_s, samples))
    excess = core.tip_guard.compute_excess(arm, core.axes.q_desired, sample.position, sample.velocity)
    return excess / TIP_RESERVE, np.abs(sample.velocity).max(axis=0)
