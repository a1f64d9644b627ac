"""A workcell, resolved: every name known, every number in SI units, every reference checked."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from telecell.errors import UnknownName
from telecell.geometry import Pose
from telecell.models.axis import Axis
from telecell.models.description import CellFile
from telecell.models.model import Model

WORLD = "world"


class Mount(msgspec.Struct, frozen=True):
    """A model placed in the cell.

    Attributes:
        on: `world` or `<mount>/<frame>`.
        offset: from that frame to the model's origin.
        turn: rotation of single bodies about their own z axis.
    """

    name: str
    model: Model
    on: str
    offset: Pose
    axes: tuple[Axis, ...]
    paint: dict[str, str]
    turn: dict[str, float]


class Robot(msgspec.Struct, frozen=True):
    """A named, ordered set of axes with base frame, tip frame and named poses (rad and m, in axis order)."""

    name: str
    title: str
    axes: tuple[Axis, ...]
    base: str
    tip: str
    tool: str | None
    poses: dict[str, tuple[float, ...]]

    @property
    def axis_names(self) -> tuple[str, ...]:
        """The axes' names in order."""
        return tuple(axis.name for axis in self.axes)

    def get_pose(self, name: str) -> tuple[float, ...]:
        """The joint values of a named pose."""
        if name not in self.poses:
            raise UnknownName("pose", name, tuple(self.poses), where=f"robot {self.name}")
        return self.poses[name]


class Tool(msgspec.Struct, frozen=True):
    """Something that opens and closes; `closed` and `open` are its finger joints' values."""

    name: str
    drive: Literal["pneumatic", "servo"]
    tip: str
    joints: tuple[str, ...]
    closed: tuple[float, ...]
    open: tuple[float, ...]
    force: float


class ForceSensor(msgspec.Struct, frozen=True):
    """A six-axis force and torque sensor at a frame, with its full scale and noise."""

    name: str
    frame: str
    max_force: float
    max_torque: float
    noise_force: float
    noise_torque: float


class Beam(msgspec.Struct, frozen=True):
    """A light beam between two frames."""

    name: str
    start: str
    end: str


class Signal(msgspec.Struct, frozen=True):
    """A binary input or output; an input with a role must be at `normal` for anything to move."""

    name: str
    title: str
    direction: Literal["in", "out"]
    normal: bool
    role: Literal["guard_door", "emergency_stop"] | None


class Frame(msgspec.Struct, frozen=True):
    """A named frame; `on` and `offset` are set for the frames that the cell file adds."""

    name: str
    title: str
    on: str | None = None
    offset: Pose | None = None


class Camera(msgspec.Struct, frozen=True):
    """A camera that the cell file adds."""

    name: str
    on: str
    offset: Pose
    fovy_deg: float


class Cell(msgspec.Struct, frozen=True, dict=True):
    """Robots, tools, fixtures, parts and cameras of one workcell.

    Attributes:
        path: the cell file, or the model's file for a cell made around one model.
        mounts: in an order in which each stands on an earlier one.
        axes: all axes in mount order.
        signals: binary inputs and outputs, in the order of the file.
        parts: mounts that can be picked up.
        poses: named postures: axis name to value.
        start: the value of every axis when the cell comes up, in the order of `axes`.
    """

    name: str
    title: str
    description: str
    path: Path
    file: CellFile
    mounts: tuple[Mount, ...]
    axes: tuple[Axis, ...]
    robots: tuple[Robot, ...]
    tools: tuple[Tool, ...]
    force_sensors: tuple[ForceSensor, ...]
    beams: tuple[Beam, ...]
    signals: tuple[Signal, ...]
    parts: tuple[str, ...]
    frames: tuple[Frame, ...]
    cameras: tuple[Camera, ...]
    poses: dict[str, dict[str, float]]
    start: tuple[float, ...]

    @property
    def commanded_joints(self) -> set[str]:
        """Names of all joints that are driven: axes and fingers."""
        return {axis.name for axis in self.axes} | {joint for tool in self.tools for joint in tool.joints}

    @cached_property
    def inputs(self) -> tuple[Signal, ...]:
        """The signals that the cell reads, in order."""
        return tuple(signal for signal in self.signals if signal.direction == "in")

    @cached_property
    def outputs(self) -> tuple[Signal, ...]:
        """The signals that the cell sets, in order."""
        return tuple(signal for signal in self.signals if signal.direction == "out")

    def get_robot(self, name: str) -> Robot:
        """The robot of that name."""
        return _get("robot", name, self.robots, self.name)

    def get_axis(self, name: str) -> Axis:
        """The axis of that name."""
        return _get("axis", name, self.axes, self.name)

    def get_tool(self, name: str) -> Tool:
        """The tool of that name."""
        return _get("tool", name, self.tools, self.name)

    def get_signal(self, name: str) -> Signal:
        """The input or output of that name."""
        return _get("signal", name, self.signals, self.name)

    def get_mount(self, name: str) -> Mount:
        """The mount of that name."""
        return _get("mount", name, self.mounts, self.name)

    def get_part_body(self, name: str) -> str:
        """The MuJoCo body of a part."""
        return f"{name}/{self.get_mount(name).model.root_bodies[0]}"


def _get(kind, name, items, cell_name):
    for item in items:
        if item.name == name:
            return item
    raise UnknownName(kind, name, [item.name for item in items], where=f"cell {cell_name}")
