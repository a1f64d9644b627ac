"""Requests that move a robot.

`speed` (above 0, at most 1) is a share of the axes' speed limits; `blend` (0 to 1) says how much of the transition to
the next queued segment may be used: 0 comes to rest at the target.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from telecell.messages.request import Command, Joints, Placement, SetPoint, Triple

JointScheme = Literal["jerk_limited", "parabolic", "quintic"]
ViaChoice = Literal["smooth", "average", "given"]


class Move(Command, frozen=True, kw_only=True):
    """Base of the requests that become one segment."""

    robot: str
    speed: float = 1.0
    blend: float = 1.0


class MoveJoints(Move, frozen=True, tag="move_joints", kw_only=True):
    """To joint values (rad or m)."""

    joints: Joints
    scheme: JointScheme = "jerk_limited"


class MoveJointsBy(Move, frozen=True, tag="move_joints_by", kw_only=True):
    """By joint increments (rad or m), from the end of what is queued."""

    increments: Joints
    scheme: JointScheme = "jerk_limited"


class MoveNamed(Move, frozen=True, tag="move_named", kw_only=True):
    """To a named pose of the robot."""

    pose: str
    scheme: JointScheme = "jerk_limited"


class Home(Move, frozen=True, tag="home", kw_only=True):
    """To where the robot stands when its cell comes up."""


class MovePose(Move, frozen=True, tag="move_pose", kw_only=True):
    """The tool to a pose, each axis on its own way (joint-interpolated).

    Attributes:
        frame: what the target is stated in: `base`, `world`, a user frame, or a frame of the cell.
        branch: wanted names; the robot's configuration, or the nearest, if left out.
    """

    target: Placement
    frame: str = "base"
    branch: dict[str, str] = msgspec.field(default_factory=dict)
    scheme: JointScheme = "jerk_limited"


class MoveLine(Move, frozen=True, tag="move_line", kw_only=True):
    """The tool to a pose on a straight line, turning at a constant rate."""

    target: Placement
    frame: str = "base"


class MovePoseBy(Move, frozen=True, tag="move_pose_by", kw_only=True):
    """The tool by an increment, from the end of what is queued.

    Attributes:
        translation_m: in the frame.
        rotation_rad: rotation vector in the frame.
        oat_rad: what is added to the O, A and T of the tool's orientation in the robot's base frame (VAL); instead of
            `rotation_rad`.
        frame: `base`, `world`, `tool`, a user frame, or a frame of the cell.
        straight: on a line; otherwise joint-interpolated.
    """

    translation_m: Triple = (0.0, 0.0, 0.0)
    rotation_rad: Triple = (0.0, 0.0, 0.0)
    oat_rad: Triple | None = None
    frame: str = "base"
    straight: bool = False


class MoveVia(Move, frozen=True, tag="move_via", kw_only=True):
    """Through joint postures on a cubic spline, without a stop, to the last of them.

    Attributes:
        points: joint values, one row per posture.
        via: how the velocities at the points in between are chosen: `smooth` (continuous acceleration), `average` of
            the neighbouring slopes (zero where an axis turns back), or `given`.
        velocities: one row per point in between, for `given`; slowed down with the rest where limits require it.
    """

    points: tuple[Joints, ...]
    via: ViaChoice = "smooth"
    velocities: tuple[Joints, ...] = ()


class StreamJoints(SetPoint, frozen=True, tag="stream_joints", kw_only=True):
    """Follow this set-point (rad or m) from now on, until the next one."""

    robot: str
    joints: Joints


class StreamPose(SetPoint, frozen=True, tag="stream_pose", kw_only=True):
    """Follow this set-point of the tool from now on, until the next one."""

    robot: str
    target: Placement
    frame: str = "base"


class Renew(SetPoint, frozen=True, tag="renew", kw_only=True):
    """The sender of a stream is still there, and has no new set-point."""

    robot: str


class EndStream(SetPoint, frozen=True, tag="end_stream", kw_only=True):
    """The stream ends; the robot arrives at its last set-point and holds."""

    robot: str


AnyMove = MoveJoints | MoveJointsBy | MoveNamed | Home | MovePose | MoveLine | MovePoseBy | MoveVia
AnySetPoint = StreamJoints | StreamPose | Renew | EndStream
