"""A cell that runs: follower and plant stepped together, in this process, as fast or as slowly as it is called."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from telecell.control import Follower, FollowerState
from telecell.errors import JointOutOfRange, SnapshotMismatch, TelecellError
from telecell.geometry import Pose
from telecell.kinematics import Chain, InverseResult, InverseSolver
from telecell.kinematics.posture import Posture
from telecell.messages import (
    VERSION,
    AnyRequest,
    AxisState,
    BeamState,
    CellState,
    ForceState,
    FrameState,
    LoopState,
    MoveAxes,
    Reply,
    RobotState,
    ToolState,
)
from telecell.models import Axis, Cell, Robot
from telecell.plant import Command, Plant
from telecell.plant.cameras import Picture, render
from telecell.plant.snapshots import decode_snapshot


class Snapshot(msgspec.Struct, frozen=True):
    """A running cell, complete."""

    cell: str
    plant: bytes
    follower: FollowerState
    openings: tuple[float, ...]


class RunningCell:
    """One cell with its plant.

    Args:
        cell: the description.
        plant: what is moved.
    """

    def __init__(self, cell: Cell, plant: Plant):
        self.cell = cell
        self.plant = plant
        self._follower = Follower(cell.axes, cell.start, plant.period_s)
        self._q_desired = np.array(cell.start)
        self._openings = np.ones(len(cell.tools))
        self._posture = Posture(cell)
        self._solvers: dict[str, InverseSolver] = {}

    def __enter__(self) -> RunningCell:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    # Requests

    def handle(self, request: AnyRequest) -> Reply:
        """Carry out a request, or refuse it whole with the reason."""
        try:
            if isinstance(request, MoveAxes):
                self.move_axes(request.targets)
            else:
                self.set_tool(request.tool, request.opening)
        except TelecellError as error:
            return Reply(request.sequence, str(error))
        return Reply(request.sequence)

    def move_axes(self, targets: dict[str, float]) -> None:
        """Send axes to positions (rad or m); the others keep going where they go.

        Raises:
            UnknownName: no such axis.
            JointOutOfRange: a target is not finite or outside the software limits; nothing moves.
        """
        axes = [self.cell.get_axis(name) for name in targets]
        for axis, value in zip(axes, targets.values(), strict=True):
            _validate_target(axis, value)
        current = zip(self.cell.axes, self._follower.target, strict=True)
        self._follower.set_target(tuple(targets.get(axis.name, value) for axis, value in current))

    def go_to(self, robot_name: str, pose_name: str) -> None:
        """Send a robot to one of its named poses."""
        robot = self.cell.get_robot(robot_name)
        self.move_axes(dict(zip(robot.axis_names, robot.get_pose(pose_name), strict=True)))

    def set_tool(self, name: str, opening: float) -> None:
        """Open (1) or close (0) a tool."""
        tool = self.cell.get_tool(name)
        if not 0.0 <= opening <= 1.0:
            raise JointOutOfRange("tool opening", where=name, value=opening, limit="0 (closed) to 1 (open)")
        self._openings[self.cell.tools.index(tool)] = opening

    # Time

    def step(self) -> None:
        """Advance by one control period."""
        self._q_desired, v_desired = self._follower.step()
        self.plant.step(Command(self._q_desired, v_desired, self._openings))

    def run(self, seconds: float) -> None:
        """Advance by whole control periods, as fast as the machine allows."""
        for _ in range(round(seconds / self.plant.period_s)):
            self.step()

    def run_until_still(self, timeout_s: float = 60.0) -> bool:
        """Advance until no axis is on its way any more; False when the time is up before."""
        for _ in range(round(timeout_s / self.plant.period_s)):
            if not self._follower.moving.any():
                return True
            self.step()
        return not self._follower.moving.any()

    # What is the case

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self.plant.measure().tick * self.plant.period_s

    def state(self, loop: LoopState | None = None) -> CellState:
        """Everything about the cell at this tick."""
        measured = self.plant.measure()
        self._posture.set(measured.q_measured, measured.openings, measured.parts)
        rows = zip(
            self.cell.axes,
            measured.q_measured.tolist(),
            measured.v_measured.tolist(),
            self._q_desired.tolist(),
            measured.torque.tolist(),
            strict=True,
        )
        moving = dict(zip([axis.name for axis in self.cell.axes], self._follower.moving.tolist(), strict=True))
        openings = zip(self.cell.tools, measured.openings.tolist(), self._openings.tolist(), strict=True)
        return CellState(
            version=VERSION,
            cell=self.cell.name,
            tick=measured.tick,
            time_s=measured.tick * self.plant.period_s,
            axes=tuple(AxisState(axis.name, *values) for axis, *values in rows),
            robots=tuple(self._robot_state(robot, moving) for robot in self.cell.robots),
            tools=tuple(ToolState(tool.name, *values) for tool, *values in openings),
            beams=tuple(
                BeamState(beam.name, flag) for beam, flag in zip(self.cell.beams, measured.beams.tolist(), strict=True)
            ),
            forces=tuple(
                ForceState(sensor.name, tuple(row[:3]), tuple(row[3:]))
                for sensor, row in zip(self.cell.force_sensors, measured.wrenches.tolist(), strict=True)
            ),
            frames=tuple(self._frame_state(name) for name in self._reported_frames()),
            parts=tuple(
                FrameState(name, tuple(row[:3]), tuple(row[3:]))
                for name, row in zip(self.cell.parts, measured.parts.tolist(), strict=True)
            ),
            loop=loop or LoopState(),
        )

    def _reported_frames(self) -> list[str]:
        ends = [frame for robot in self.cell.robots for frame in (robot.base, robot.tip)]
        return list(dict.fromkeys([*ends, *(tool.tip for tool in self.cell.tools)]))

    def _frame_state(self, name: str) -> FrameState:
        return FrameState(name, *_plain(self._posture.get_frame(name)))

    def _robot_state(self, robot: Robot, moving: dict[str, bool]) -> RobotState:
        tip = self._posture.get_frame(robot.base).inverse() @ self._posture.get_frame(robot.tip)
        return RobotState(robot.name, *_plain(tip), any(moving[axis.name] for axis in robot.axes))

    # Kinematics and pictures

    def chain(self, robot_name: str) -> Chain:
        """The kinematics of a robot, the rest of the cell standing as it is now."""
        return self._solver(robot_name).chain

    def inverse(self, robot_name: str, target: Pose, **options) -> InverseResult:
        """Every posture in which the robot's tip is at a pose in its base frame."""
        return self._solver(robot_name).solve(target, **options)

    def forward(self, robot_name: str, joints) -> Pose:
        """The robot's tip in its base frame."""
        return self.chain(robot_name).forward(joints)

    def _solver(self, robot_name: str) -> InverseSolver:
        if robot_name not in self._solvers:
            robot = self.cell.get_robot(robot_name)
            self._solvers[robot_name] = InverseSolver(build_chain(robot, self._posture))
        solver = self._solvers[robot_name]
        measured = self.plant.measure()
        self._posture.set(measured.q_measured, measured.openings, measured.parts)
        solver.chain.set_posture(self._posture.data.qpos)
        return solver

    def render(self, view: str = "iso", *, width: int = 1280, height: int = 800) -> Picture:
        """A picture from `iso`, `front`, `side`, `top` or one of the cell's cameras."""
        measured = self.plant.measure()
        self._posture.set(measured.q_measured, measured.openings, measured.parts)
        return render(self._posture.model, self._posture.data, view, width=width, height=height)

    # Snapshots

    def save(self) -> bytes:
        """The complete state of the running cell."""
        return msgspec.msgpack.encode(
            Snapshot(self.cell.name, self.plant.save(), self._follower.save(), tuple(self._openings.tolist()))
        )

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell; from there everything goes on bit for bit."""
        saved = decode_snapshot(snapshot, Snapshot, "a cell")
        if saved.cell != self.cell.name:
            raise SnapshotMismatch("the snapshot belongs to another cell", value=saved.cell, limit=self.cell.name)
        if len(saved.openings) != len(self.cell.tools) or not np.isfinite(saved.openings).all():
            raise SnapshotMismatch("damaged tool openings", where=f"cell {self.cell.name}", value=saved.openings)
        before = self._follower.save()
        self._follower.restore(saved.follower)
        try:
            self.plant.restore(saved.plant)
        except SnapshotMismatch:
            self._follower.restore(before)
            raise
        self._openings = np.array(saved.openings)


def build_chain(robot: Robot, posture: Posture) -> Chain:
    """The kinematics of one robot on a cell's world model."""
    return Chain(
        posture.model,
        axes=robot.axis_names,
        base=robot.base,
        tip=robot.tip,
        limits=np.array([axis.software_limits for axis in robot.axes]),
        weights=np.array([axis.weight for axis in robot.axes]),
        posture=posture.data.qpos,
        name=robot.name,
    )


def _validate_target(axis: Axis, value: float) -> None:
    if not math.isfinite(value):
        raise JointOutOfRange("a finite number is needed", where=f"axis {axis.name}", value=value)
    low, high = axis.software_limits
    if not low <= value <= high:
        raise JointOutOfRange(
            "target outside the software limits",
            where=f"axis {axis.name} ({axis.title})",
            value=f"{_written(axis, value)}",
            limit=f"{_written(axis, low)} to {_written(axis, high)}",
        )


def _written(axis: Axis, value: float) -> str:
    return f"{math.degrees(value):.2f} deg" if axis.kind == "hinge" else f"{value:.4f} m"


def _plain(pose: Pose):
    return tuple(pose.position.tolist()), tuple(pose.quaternion().tolist())
