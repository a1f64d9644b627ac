"""Requests that change what a robot, a tool or the cell is set to."""

from __future__ import annotations

from telecell.messages.request import Command, Joints, Placement, Triple


class Power(Command, frozen=True, tag="power", kw_only=True):
    """Switch the drives of a robot's axes. Off while it moves is a stop."""

    robot: str
    on: bool


class SetSpeedFactor(Command, frozen=True, tag="set_speed_factor", kw_only=True):
    """Slow everything down that the robot does, at once (above 0, at most 1)."""

    robot: str
    factor: float


class SetTipSpeed(Command, frozen=True, tag="set_tip_speed", kw_only=True):
    """How fast the tip of a robot may move; 0.25 m/s until somebody asks for more (0.001 to 10)."""

    robot: str
    speed_m_s: float


class SetConfiguration(Command, frozen=True, tag="set_configuration", kw_only=True):
    """The branch in which poses are reached from now on; an empty one takes the nearest."""

    robot: str
    branch: dict[str, str]


class Free(Command, frozen=True, tag="free", kw_only=True):
    """Let axes be moved by hand; all axes of the robot if none is named."""

    robot: str
    axes: tuple[str, ...] = ()


class Hold(Command, frozen=True, tag="hold", kw_only=True):
    """Hold freed axes where they are now."""

    robot: str


class SetTool(Command, frozen=True, tag="set_tool", kw_only=True):
    """Open (1) or close (0) a tool, or anything between.

    Attributes:
        force_N: what its fingers press with at most; all they can if left out.
    """

    tool: str
    opening: float
    force_N: float | None = None


class SetSignal(Command, frozen=True, tag="set_signal", kw_only=True):
    """Switch an output signal."""

    name: str
    value: bool


class DefineToolFrame(Command, frozen=True, tag="define_tool_frame", kw_only=True):
    """Where the tool is, seen from the robot's tip frame; poses are for it from now on."""

    robot: str
    offset: Placement


class DefineUserFrame(Command, frozen=True, tag="define_user_frame", kw_only=True):
    """A frame of the user's own, from three points in the world: origin, along +x, in the half plane of +y."""

    name: str
    origin_m: Triple
    on_x_m: Triple
    towards_y_m: Triple


class SetPayload(Command, frozen=True, tag="set_payload", kw_only=True):
    """What the robot carries, so that its weight is held: mass, and centre of mass in the tip frame."""

    robot: str
    mass_kg: float
    centre_m: Triple = (0.0, 0.0, 0.0)


class SavePose(Command, frozen=True, tag="save_pose", kw_only=True):
    """Give joint values a name; where the robot is, if they are left out."""

    robot: str
    name: str
    joints: Joints | None = None


class DeletePose(Command, frozen=True, tag="delete_pose", kw_only=True):
    """Forget a saved pose; those of the cell file stay."""

    robot: str
    name: str


AnySetting = (
    Power
    | SetSpeedFactor
    | SetTipSpeed
    | SetConfiguration
    | Free
    | Hold
    | SetTool
    | SetSignal
    | DefineToolFrame
    | DefineUserFrame
    | SetPayload
    | SavePose
    | DeletePose
)
