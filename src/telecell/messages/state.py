"""What a cell tells the world every control period.

Axis values are in the axis's own unit: rad and N·m for hinges, m and N for slides. Poses are in the world frame,
quaternions are w, x, y, z. Nothing here is ever NaN.
"""

from __future__ import annotations

import msgspec

VERSION = 1

Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class AxisState(msgspec.Struct, frozen=True):
    """One axis: where it is, how fast, where it should be, and what its drive gives."""

    name: str
    q_measured: float
    v_measured: float
    q_desired: float
    torque: float


class FrameState(msgspec.Struct, frozen=True):
    """A frame or part in the world."""

    name: str
    position_m: Triple
    quaternion_wxyz: Quaternion


class RobotState(msgspec.Struct, frozen=True):
    """One robot: its tip in its base frame, and whether any of its axes is under way."""

    name: str
    position_m: Triple
    quaternion_wxyz: Quaternion
    moving: bool


class ToolState(msgspec.Struct, frozen=True):
    """One tool: 0 is closed, 1 is open."""

    name: str
    opening: float
    opening_desired: float


class BeamState(msgspec.Struct, frozen=True):
    """One light beam."""

    name: str
    interrupted: bool


class ForceState(msgspec.Struct, frozen=True):
    """One force sensor: what the arm applies to the tool, in the sensor's frame."""

    name: str
    force_N: Triple
    torque_Nm: Triple


class LoopState(msgspec.Struct, frozen=True):
    """How well the control loop keeps time.

    Attributes:
        real_time_factor: simulated over real seconds during the last second.
        overruns: periods that ended after their deadline, since the start.
        dropped: periods that were left out because the loop was late, since the start.
    """

    real_time_factor: float = 1.0
    overruns: int = 0
    dropped: int = 0


class CellState(msgspec.Struct, frozen=True):
    """The whole cell at one tick.

    Attributes:
        tick: control periods since the start.
        time_s: simulated seconds since the start.
        frames: base and tip of every robot and tip of every tool.
        parts: everything that can be picked up.
    """

    version: int
    cell: str
    tick: int
    time_s: float
    axes: tuple[AxisState, ...]
    robots: tuple[RobotState, ...]
    tools: tuple[ToolState, ...]
    beams: tuple[BeamState, ...]
    forces: tuple[ForceState, ...]
    frames: tuple[FrameState, ...]
    parts: tuple[FrameState, ...]
    loop: LoopState = LoopState()
