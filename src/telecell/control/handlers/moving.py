"""Requests that move a robot: segments into its queue, set-points into its stream."""

from __future__ import annotations

import numpy as np

from telecell.control.core import Core
from telecell.control.handlers.access import admit, validate_alone
from telecell.control.planning import compute_stream_share, plan_move, solve_set_point
from telecell.errors import QueueFull
from telecell.messages import moves
from telecell.messages.replies import Accepted, Done, Queued

LONGEST_QUEUE = 64


def _move(core: Core, request: moves.AnyMove) -> Queued:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    _validate_beginning(core, request)
    timeline = arm.motion.timeline
    if len(timeline.segments) >= LONGEST_QUEUE:
        raise QueueFull(
            "no room for another segment",
            where=f"robot {arm.name}",
            value=len(timeline.segments),
            limit=LONGEST_QUEUE,
            remedy="Wait until the first of them have ended.",
        )
    trajectory = plan_move(core, arm, request)
    segment = arm.motion.queue(request.origin, trajectory, request.blend)
    return Queued(
        request.sequence,
        segment=segment.number,
        duration_s=trajectory.duration_s,
        ends_in_s=(segment.end_s - timeline.time_s) / arm.speed_factor,
        goal=tuple(trajectory.goal.tolist()),
    )


def _stream_joints(core: Core, request: moves.StreamJoints) -> Accepted:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    return _follow(core, request, arm.limits.validate_joints(request.joints, "set-point"))


def _stream_pose(core: Core, request: moves.StreamPose) -> Accepted:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    near = np.array(arm.motion.stream.goal) if arm.motion.stream else core.axes.q_desired[arm.index]
    core.place(arm, near)
    return _follow(core, request, solve_set_point(core, arm, request, near))


def _follow(core: Core, request: moves.StreamJoints | moves.StreamPose, joints: np.ndarray) -> Accepted:
    """Follow a set-point, clipped to where the robot may go from here."""
    _validate_beginning(core, request)
    arm = core.arms[request.robot]
    here = core.axes.q_desired[arm.index]
    allowed = arm.limits.compute_range(here)
    goal = np.clip(joints, allowed[:, 0], allowed[:, 1])
    clipped = tuple(name for name, a, b in zip(arm.robot.axis_names, goal, joints, strict=True) if a != b)
    arm.motion.follow(request.origin, goal, here, core.ticks.now_s)
    arm.motion.set_share(compute_stream_share(core, arm), here)
    return Accepted(request.sequence, tuple(goal.tolist()), clipped)


def _validate_beginning(core: Core, request: moves.AnyMove | moves.StreamJoints | moves.StreamPose) -> None:
    """Refuse a motion that begins for a holder who is too far away; what is under way has its dead-man."""
    if not core.arms[request.robot].motion.active:
        core.grants.validate_near(core.grants.get(request), core.ticks.now_s)


def _renew(core: Core, request: moves.Renew) -> Done:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    arm.motion.hear(core.ticks.now_s)
    return Done(request.sequence)


def _end_stream(core: Core, request: moves.EndStream) -> Done:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    arm.motion.hear(core.ticks.now_s, ends=True)
    return Done(request.sequence)


HANDLERS = {
    **dict.fromkeys(moves.AnyMove.__args__, _move),
    moves.StreamJoints: _stream_joints,
    moves.StreamPose: _stream_pose,
    moves.Renew: _renew,
    moves.EndStream: _end_stream,
}
