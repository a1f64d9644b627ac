"""What a person writes: the two file formats, `model.toml` and `cell.toml`, as structs.

The JSON schemas in the documentation are generated from these structs. Lengths, angles and forces carry their unit
in the key; a value without a unit in its key is a plain number. Hinge axes are written in degrees, slide axes in
metres, and a list that may hold both says so: `joints_deg_m`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

FORMAT = 1

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.\-]*$", max_length=64)]
ElementName = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
"""Of a joint, body, site or material: the MJCF or URDF file decides how it is spelled."""
Path = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$")]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every table in a file: unknown keys are mistakes."""


class AxisEntry(Entry, frozen=True, kw_only=True):
    """One actuated joint. Hinges use the `_deg` keys, slides the `_m` keys; what is left out comes from the model file.

    Attributes:
        title: what people call it.
        labels: historical names, for example `["G4", "L4"]`.
        hardware_limits_deg: where a hinge ends; the range in the file by default.
        hardware_limits_m: where a slide ends; the range in the file by default.
        software_limits_deg: where commands to a hinge end, inside the hardware limits; the same by default.
        software_limits_m: where commands to a slide end, inside the hardware limits; the same by default.
        speed_deg_s: highest speed of a hinge; the velocity limit of a URDF, or 60, by default.
        speed_m_s: highest speed of a slide; the velocity limit of a URDF, or 0.25, by default.
        acceleration_deg_s2: highest acceleration of a hinge; reaches its speed in 0.25 s by default.
        acceleration_m_s2: highest acceleration of a slide; reaches its speed in 0.25 s by default.
        jerk_deg_s3: highest jerk of a hinge; reaches its acceleration in 0.025 s by default.
        jerk_m_s3: highest jerk of a slide; reaches its acceleration in 0.025 s by default.
        following_error_deg: how far a hinge may be off its set-point before the robot stops; 2.9 by default.
        following_error_m: the same for a slide; 0.01 by default.
        torque_Nm: what the drive of a hinge can give; the effort limit in the file by default.
        force_N: what the drive of a slide can give; the effort limit in the file by default.
        kp: servo stiffness, N·m/rad or N/m; together with kv or not at all.
        kv: servo damping, N·m·s/rad or N·s/m.
        counts_per_rad: encoder resolution of a hinge; none means an ideal encoder.
        counts_per_m: encoder resolution of a slide; none means an ideal encoder.
        weight: reluctance to use this axis in redundant inverse kinematics, relative to 1.
    """

    title: str | None = None
    labels: tuple[str, ...] = ()
    hardware_limits_deg: Pair | None = None
    hardware_limits_m: Pair | None = None
    software_limits_deg: Pair | None = None
    software_limits_m: Pair | None = None
    speed_deg_s: float | None = None
    speed_m_s: float | None = None
    acceleration_deg_s2: float | None = None
    acceleration_m_s2: float | None = None
    jerk_deg_s3: float | None = None
    jerk_m_s3: float | None = None
    following_error_deg: float | None = None
    following_error_m: float | None = None
    torque_Nm: float | None = None
    force_N: float | None = None
    kp: float | None = None
    kv: float | None = None
    counts_per_rad: float | None = None
    counts_per_m: float | None = None
    weight: float | None = None


class PoseEntry(Entry, frozen=True, kw_only=True):
    """A named posture of one model.

    Attributes:
        joints_deg_m: a value per axis in axis order, degrees for hinges, metres for slides.
    """

    joints_deg_m: tuple[float, ...]


class KinematicsEntry(Entry, frozen=True, kw_only=True):
    """The two frames between which a robot model's kinematics are stated.

    Attributes:
        base: frame in which targets are stated.
        tip: frame that is moved to a target.
        axes: the axes between them, in order; all by default.
    """

    base: str
    tip: str
    axes: tuple[ElementName, ...] = ()


class ToolEntry(Entry, frozen=True, kw_only=True):
    """Something that opens and closes.

    Attributes:
        drive: `pneumatic` has two states and pushes with its full force; `servo` takes any opening.
        tip: frame between the fingers.
        joints: finger joints, all driven.
        closed_deg_m: finger joint values when closed.
        open_deg_m: finger joint values when open.
        force_N: force of each finger (N·m for hinged fingers).
    """

    drive: Literal["pneumatic", "servo"]
    tip: str
    joints: tuple[ElementName, ...]
    closed_deg_m: tuple[float, ...]
    open_deg_m: tuple[float, ...]
    force_N: float


class ForceSensorEntry(Entry, frozen=True, kw_only=True):
    """A six-axis force and torque sensor.

    Attributes:
        frame: where it measures, on a body without joints of its own.
        range_N: full scale of each force.
        range_Nm: full scale of each torque.
        noise_N: standard deviation of each force.
        noise_Nm: standard deviation of each torque.
    """

    frame: str
    range_N: float
    range_Nm: float
    noise_N: float = 0.0
    noise_Nm: float = 0.0


class BeamEntry(Entry, frozen=True, kw_only=True):
    """A light beam; its signal is true while something interrupts it.

    Attributes:
        start: frame of the light source.
        end: frame of the receiver.
    """

    start: str
    end: str


class ModelFile(Entry, frozen=True, kw_only=True):
    """`model.toml`: a robot, a tool, a fixture or a part, beside the MJCF or URDF file that draws it.

    Attributes:
        format: version of the file format.
        kind: `robot` moves, `tool` opens and closes, `fixture` stands still, `part` can be picked up.
        title: what people call it.
        file: the MJCF or URDF file in the same folder.
        description: one sentence about it.
        kinematics: between which frames the kinematics of a robot are stated.
        frames: named frames (sites, or bodies for their origin), with what they are; none listed means all.
        axes: the actuated joints; none listed means every hinge and slide of a robot that is neither part of a tool
            nor follows another joint.
        poses: named postures.
        tools: what opens and closes.
        force_sensors: force and torque sensors.
        beams: light beams.
        actuators: `ours` replaces the file's actuators by Telecell's servo, `file` keeps them (then each axis needs
            exactly one position actuator in the file).
    """

    format: Literal[1]
    kind: Literal["robot", "tool", "fixture", "part"]
    title: str
    file: Path
    description: str = ""
    kinematics: KinematicsEntry | None = None
    frames: dict[ElementName, str] = {}
    axes: dict[ElementName, AxisEntry] = {}
    poses: dict[Name, PoseEntry] = {}
    tools: dict[Name, ToolEntry] = {}
    force_sensors: dict[Name, ForceSensorEntry] = {}
    beams: dict[Name, BeamEntry] = {}
    actuators: Literal["ours", "file"] = "ours"


class MountEntry(Entry, frozen=True, kw_only=True):
    """A model placed in the cell.

    Attributes:
        name: of this instance; everything in it is named `<mount>/<name>`.
        model: a catalog name (`puma560`) or a folder with a `model.toml` beside the cell file (`./arm`).
        file: instead of `model`, a bare MJCF or URDF file, with the axes and tools that `telecell new` would propose.
        on: the frame it stands on, `world` or `<mount>/<frame>`.
        xyz_m: where its origin is in that frame.
        rpy_deg: roll, pitch and yaw of its origin in that frame.
        paint: colours by material name, `"#rrggbb"`.
        turn_deg: bodies without joints that are turned about their own z axis, such as a pedestal that is bolted on
            another way round than the arm's zero direction says.
        axes: what this instance has different from its model.
    """

    name: Name
    model: Path | None = None
    file: Path | None = None
    on: str = "world"
    xyz_m: Triple = (0.0, 0.0, 0.0)
    rpy_deg: Triple = (0.0, 0.0, 0.0)
    paint: dict[ElementName, Colour] = {}
    turn_deg: dict[ElementName, float] = {}
    axes: dict[ElementName, AxisEntry] = {}


class RobotEntry(Entry, frozen=True, kw_only=True):
    """A named, ordered set of axes. Sets may overlap.

    Attributes:
        name: what programs and people call it.
        title: what the station shows; the name by default.
        axes: `<mount>/<joint>` or `<mount>/*` for all axes of a mount in their order.
        base: frame in which targets are stated.
        tip: frame that is moved to a target.
        tool: `<mount>/<tool>` that this robot carries.
    """

    name: Name
    title: str = ""
    axes: tuple[str, ...]
    base: str = "world"
    tip: str
    tool: str | None = None


class CellPoseEntry(Entry, frozen=True, kw_only=True):
    """A named posture of the cell.

    Attributes:
        joints_deg_m: by mount, a value per axis in axis order, degrees for hinges, metres for slides.
    """

    joints_deg_m: dict[Name, tuple[float, ...]]


class FrameEntry(Entry, frozen=True, kw_only=True):
    """A named frame fixed to another one.

    Attributes:
        name: what programs and people call it.
        on: the frame it is fixed to.
        xyz_m: where its origin is in that frame.
        rpy_deg: its roll, pitch and yaw in that frame.
        title: what it is.
    """

    name: Name
    on: str = "world"
    xyz_m: Triple = (0.0, 0.0, 0.0)
    rpy_deg: Triple = (0.0, 0.0, 0.0)
    title: str = ""


class CameraEntry(Entry, frozen=True, kw_only=True):
    """A camera that looks along its +z, with +x to the right of the picture.

    Attributes:
        name: of the view.
        on: the frame it is fixed to.
        xyz_m: where it is in that frame.
        rpy_deg: its roll, pitch and yaw in that frame.
        fovy_deg: angle of view, from the top of the picture to its bottom.
    """

    name: Name
    on: str = "world"
    xyz_m: Triple = (0.0, 0.0, 0.0)
    rpy_deg: Triple = (0.0, 0.0, 0.0)
    fovy_deg: float = 45.0


class FloorEntry(Entry, frozen=True, kw_only=True):
    """The floor plane.

    Attributes:
        height_m: of the floor above the origin.
        colour: `"#rrggbb"`.
    """

    height_m: float = 0.0
    colour: Colour = "#c9ced4"


class SignalEntry(Entry, frozen=True, kw_only=True):
    """A binary line of the cell. Light beams are signals of their tools and are not listed here.

    Attributes:
        name: what programs and people call it.
        title: what it is; the name by default.
        direction: `in` is read by the cell, `out` is set by it.
        normal: its value at the start.
        role: of an input that must have its normal value for anything to move.
    """

    name: Name
    title: str = ""
    direction: Literal["in", "out"]
    normal: bool
    role: Literal["guard_door", "emergency_stop"] | None = None


class CollisionEntry(Entry, frozen=True, kw_only=True):
    """What may overlap.

    Attributes:
        exclude: pairs of bodies, `<mount>/<body>`, that overlap by construction.
    """

    exclude: tuple[tuple[str, str], ...] = ()


class ControlEntry(Entry, frozen=True, kw_only=True):
    """The rules of control.

    Attributes:
        profile: for people near the robot (`local`), far away (`delayed`), or who take turns (`lab`).
    """

    profile: Literal["local", "delayed", "lab"] = "local"


class CellFile(Entry, frozen=True, kw_only=True):
    """`cell.toml`: a whole workcell.

    Attributes:
        format: version of the file format.
        name: of the cell.
        title: what the station shows; the name by default.
        description: one sentence about it.
        floor: the floor plane.
        mounts: the models in the cell.
        robots: the sets of axes that move together.
        frames: more named frames.
        poses: named postures.
        cameras: fixed or carried cameras.
        signals: binary inputs and outputs.
        collision: what may overlap.
        control: the rules of control.
        start: the pose in which the cell comes up; without one, every axis starts at the value nearest to zero.
    """

    format: Literal[1]
    name: Name
    title: str = ""
    description: str = ""
    floor: FloorEntry | None = FloorEntry()
    mounts: tuple[MountEntry, ...]
    robots: tuple[RobotEntry, ...] = ()
    frames: tuple[FrameEntry, ...] = ()
    poses: dict[Name, CellPoseEntry] = {}
    cameras: tuple[CameraEntry, ...] = ()
    signals: tuple[SignalEntry, ...] = ()
    collision: CollisionEntry = CollisionEntry()
    control: ControlEntry = ControlEntry()
    start: str | None = None
