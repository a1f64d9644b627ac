"""What a cell tells the world every control period.

Axis values are in the axis's own unit: rad and N·m for hinges, m and N for slides. Poses are in the world frame,
quaternions are w, x, y, z. Nothing here is ever NaN.
"""

from __future__ import annotations

import msgspec

from telecell.messages.granting import Source
from telecell.messages.request import Joints, Placement, Quaternion, Triple


class AxisState(msgspec.Struct, frozen=True):
    """One axis: where it is, how fast, where it should be, and what its drive gives.

    Attributes:
        powered: whether its drive has power.
        stopped: the cause that keeps it stopped until reset.
    """

    name: str
    q_measured: float
    v_measured: float
    q_desired: float
    torque: float
    powered: bool = True
    stopped: str | None = None


class FrameState(msgspec.Struct, frozen=True):
    """A frame or part in the world."""

    name: str
    position_m: Triple
    quaternion_wxyz: Quaternion


class RobotState(msgspec.Struct, frozen=True):
    """One robot: its tip in its base frame, and what it does.

    Attributes:
        mode: a row of the table of modes.
        segment: number of the segment under way, or of the next one.
        queued: how many segments are not yet at their end.
        rate: how fast the path is followed at the moment, 0 to 1.
        speed_factor: what the holder has set.
        tip_speed_m_s: how fast its tip may move.
        holder: who has a grant for all of its axes.
    """

    name: str
    position_m: Triple
    quaternion_wxyz: Quaternion
    mode: str
    segment: int | None = None
    queued: int = 0
    rate: float = 0.0
    speed_factor: float = 1.0
    tip_speed_m_s: float = 0.0
    holder: str | None = None

    @property
    def moving(self) -> bool:
        """Whether it is under way."""
        return self.mode in ("moving", "tracking", "stopping")


class ToolState(msgspec.Struct, frozen=True):
    """One tool: 0 is closed, 1 is open."""

    name: str
    opening: float
    opening_desired: float


class ForceState(msgspec.Struct, frozen=True):
    """One force sensor: what the arm applies to the tool, in the sensor's frame."""

    name: str
    force_N: Triple
    torque_Nm: Triple


class GrantState(msgspec.Struct, frozen=True):
    """One grant.

    Attributes:
        tenure: its number.
        axes: what it is for.
        quiet_s: how long ago the last sign of life came.
        held_s: how long it has been held.
        idle_s: how long ago the holder last commanded something.
        round_trip_s: the longest way of a renewal from cell to holder and back, during the last second.
        lost: share of the renewals that were lost during the last second.
    """

    tenure: int
    holder: str
    sender: str
    source: Source
    priority: int
    axes: tuple[str, ...]
    quiet_s: float
    held_s: float
    idle_s: float
    round_trip_s: float
    lost: float


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
        epoch: tells this run of the cell from every other.
        grants: who may command what.
        waiting: who waits for a grant, first the next.
        signals: every signal and light beam.
        frames: base and tip of every robot and tip of every tool.
        parts: everything that can be picked up.
    """

    version: str
    cell: str
    tick: int
    time_s: float
    epoch: str
    grants: tuple[GrantState, ...]
    waiting: tuple[str, ...]
    axes: tuple[AxisState, ...]
    robots: tuple[RobotState, ...]
    tools: tuple[ToolState, ...]
    signals: dict[str, bool]
    forces: tuple[ForceState, ...]
    frames: tuple[FrameState, ...]
    parts: tuple[FrameState, ...]
    loop: LoopState = LoopState()


class RobotSetup(msgspec.Struct, frozen=True):
    """What holders have set for a robot.

    Attributes:
        tool: the tool frame in the tip frame.
        branch: the configuration in which poses are reached.
        poses: saved by name.
    """

    tool: Placement
    branch: dict[str, str]
    poses: dict[str, Joints]


class CellSetup(msgspec.Struct, frozen=True):
    """What holders have set in a cell: told when it changes, so that questions can be answered beside the loop.

    Attributes:
        number: grows with every change.
    """

    version: str
    cell: str
    number: int
    period_s: float
    robots: dict[str, RobotSetup]
    user_frames: dict[str, Placement]
