"""Answers to whoever asks."""

from __future__ import annotations

from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.control.handlers.access import get_arm
from telecell.errors import UnknownName
from telecell.kinematics.placements import to_placement, to_pose
from telecell.messages import EVENT_KINDS, OPERATIONS, VERSION, Placement, queries, replies, validate_version
from telecell.models import Axis
from telecell.release import RELEASE
from telecell.trajectories import SCHEMES


def _hello(core: Core, request: queries.Hello) -> replies.Welcome:
    validate_version(request.version)
    return replies.Welcome(request.sequence, VERSION, RELEASE, core.cell.name, core.period_s, core.ticks.newest)


def _describe(core: Core, request: queries.Describe) -> replies.Described:
    cell = core.cell
    signals = [(s.name, s.title, s.direction) for s in cell.signals] + [
        (b.name, "light beam", "in") for b in cell.beams
    ]
    return replies.Described(
        request.sequence,
        version=VERSION,
        software=RELEASE,
        cell=cell.name,
        title=cell.title,
        period_s=core.period_s,
        axes=tuple(_describe_axis(axis) for axis in cell.axes),
        robots=tuple(_describe_robot(arm) for arm in core.arms.values()),
        tools=tuple(tool.name for tool in cell.tools),
        signals=tuple(replies.SignalEntry(*signal) for signal in signals),
        frames=("world", *core.user_frames, *(frame.name for frame in cell.frames)),
        operations=OPERATIONS,
        schemes=dict(SCHEMES),
    )


def _describe_axis(axis: Axis) -> replies.AxisEntry:
    return replies.AxisEntry(
        axis.name,
        axis.title,
        axis.kind,
        *axis.software_limits,
        axis.max_velocity,
        axis.max_acceleration,
        axis.max_jerk,
        axis.following_error,
    )


def _describe_robot(arm: Arm) -> replies.RobotEntry:
    robot = arm.robot
    poses = {**robot.poses, **arm.saved_poses}
    branches = arm.solver.branch_names
    return replies.RobotEntry(
        robot.name, robot.title, robot.axis_names, robot.base, robot.tip, robot.tool, poses, branches
    )


def _where(core: Core, request: queries.Where) -> replies.Located:
    arm, measured = get_arm(core, request.robot), core.measured
    core.posture.set(measured.q_measured, measured.openings, measured.parts)
    world_in_base = core.posture.get_frame(arm.robot.base).inverse()
    frames = {name: world_in_base @ core.posture.get_frame(name) for name in arm.frames}
    frames["tool"] = frames[arm.robot.tip] @ arm.tool
    return replies.Located(
        request.sequence,
        robot=arm.name,
        tick=measured.tick,
        axes=arm.robot.axis_names,
        joints=tuple(measured.q_measured[arm.index].tolist()),
        joints_desired=tuple(core.axes.q_desired[arm.index].tolist()),
        frames={name: to_placement(pose) for name, pose in frames.items()},
    )


def _solve_forward(core: Core, request: queries.SolveForward) -> replies.Solved:
    arm = get_arm(core, request.robot)
    arm.place(core.measured.q_measured, core.measured)
    pose: Placement = to_placement(arm.compute_tool(arm.limits.validate_joints(request.joints, "joints")))
    return replies.Solved(request.sequence, pose=pose)


def _solve_inverse(core: Core, request: queries.SolveInverse) -> replies.Solved:
    arm, measured = get_arm(core, request.robot), core.measured
    here = measured.q_measured[arm.index]
    near = here if request.reference is None else arm.limits.validate_joints(request.reference, "reference")
    arm.place(core.measured.q_measured, core.measured)
    tool = arm.locate(request.frame, here, core.user_frames, core.cell) @ to_pose(request.target)
    result = arm.solver.solve(arm.compute_tip(tool), reference=near, branch=request.branch or None)
    found = tuple(replies.SolvedPosture(s.joints, s.branch, s.inside_limits) for s in result.solutions)
    return replies.Solved(request.sequence, solutions=found, reason=result.reason)


def _read_signals(core: Core, request: queries.ReadSignals) -> replies.SignalsRead:
    values = core.read_signals()
    for name in request.names:
        if name not in values:
            raise UnknownName("signal", name, tuple(values), where=f"cell {core.cell.name}")
    return replies.SignalsRead(request.sequence, {name: values[name] for name in request.names or values})


def _subscribe(core: Core, request: queries.Subscribe) -> replies.Subscribed:
    for kind in request.kinds:
        if kind not in EVENT_KINDS:
            raise UnknownName("kind of event", kind, EVENT_KINDS)
    events, lost = core.journal.since(request.after, request.kinds)
    return replies.Subscribed(request.sequence, events, core.journal.newest, lost)


HANDLERS = {
    queries.Hello: _hello,
    queries.Describe: _describe,
    queries.Where: _where,
    queries.SolveForward: _solve_forward,
    queries.SolveInverse: _solve_inverse,
    queries.ReadSignals: _read_signals,
    queries.Subscribe: _subscribe,
}
