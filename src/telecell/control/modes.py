"""The modes of a robot, which commands each of them takes, and the ways between them.

A mode is never stored: it follows from the robot's axes and its motion, by the first row of `MODES` that applies.
"""

from __future__ import annotations

from enum import Enum

import msgspec


class Mode(Enum):
    """What a robot is doing."""

    STOPPING = "stopping"
    STOPPED = "stopped"
    OFF = "off"
    FREE = "free"
    TRACKING = "tracking"
    MOVING = "moving"
    HOLDING = "holding"


class ModeRow(msgspec.Struct, frozen=True):
    """One mode: when it applies, and which commands it takes.

    Attributes:
        when: in words; the first row that applies is the mode.
        takes: tags of the commands that may be carried out.
    """

    when: str
    takes: frozenset[str]


MOVES = frozenset(
    {"move_joints", "move_joints_by", "move_named", "home", "move_pose", "move_line", "move_pose_by", "move_via"}
)
STREAM = frozenset({"stream_joints", "stream_pose"})
_ALWAYS = frozenset({"power", "halt", "reset"})

MODES: dict[Mode, ModeRow] = {
    Mode.STOPPING: ModeRow("an axis is on its way to rest after a halt or a stop", _ALWAYS),
    Mode.STOPPED: ModeRow("an axis is stopped and waits for its reset", _ALWAYS),
    Mode.OFF: ModeRow("an axis has no power", _ALWAYS),
    Mode.FREE: ModeRow("an axis is free to be moved by hand", _ALWAYS | {"free", "hold"}),
    Mode.TRACKING: ModeRow("the robot follows a stream", _ALWAYS | STREAM | {"renew", "end_stream", "pause", "resume"}),
    Mode.MOVING: ModeRow("segments are queued", _ALWAYS | MOVES | {"pause", "resume"}),
    Mode.HOLDING: ModeRow("none of these: it holds its place", _ALWAYS | MOVES | STREAM | {"free", "hold"}),
}
"""In the order in which they are tried."""


class Transition(msgspec.Struct, frozen=True):
    """One way from a mode to another."""

    start: Mode
    by: str
    end: Mode


_FAULT = "stop, fault"

TRANSITIONS = (
    Transition(Mode.OFF, "power on", Mode.HOLDING),
    Transition(Mode.OFF, _FAULT, Mode.STOPPED),
    Transition(Mode.HOLDING, "move", Mode.MOVING),
    Transition(Mode.HOLDING, "stream", Mode.TRACKING),
    Transition(Mode.HOLDING, "free", Mode.FREE),
    Transition(Mode.HOLDING, "power off", Mode.OFF),
    Transition(Mode.HOLDING, _FAULT, Mode.STOPPED),
    Transition(Mode.HOLDING, "fault, measured state", Mode.STOPPING),
    Transition(Mode.MOVING, "last segment arrived, halt while paused", Mode.HOLDING),
    Transition(Mode.MOVING, "halt, stop, fault", Mode.STOPPING),
    Transition(Mode.MOVING, "power lost, stop while paused", Mode.STOPPED),
    Transition(Mode.TRACKING, "end of stream, halt while paused", Mode.HOLDING),
    Transition(Mode.TRACKING, "halt, silence, stop, fault", Mode.STOPPING),
    Transition(Mode.TRACKING, "power lost, stop while paused", Mode.STOPPED),
    Transition(Mode.FREE, "hold", Mode.HOLDING),
    Transition(Mode.FREE, "power off", Mode.OFF),
    Transition(Mode.FREE, _FAULT, Mode.STOPPED),
    Transition(Mode.FREE, "fault, measured state", Mode.STOPPING),
    Transition(Mode.STOPPING, "at rest after halt", Mode.HOLDING),
    Transition(Mode.STOPPING, "at rest after stop", Mode.STOPPED),
    Transition(Mode.STOPPED, "reset", Mode.HOLDING),
    Transition(Mode.STOPPED, "reset without power", Mode.OFF),
)
"""Every way. A robot whose axes are those of others has whichever of their modes comes first in the table above."""
