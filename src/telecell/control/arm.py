"""One robot as the controller knows it: its axes, its kinematics, its settings and its motion."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.contract import Measurement
from telecell.control.motion import Motion, MotionState
from telecell.errors import SnapshotMismatch, UnknownName
from telecell.geometry import Pose
from telecell.kinematics import InverseSolver
from telecell.kinematics.placements import to_placement, to_pose
from telecell.kinematics.posture import Posture, build_chain
from telecell.messages import Placement
from telecell.models import Cell, Robot
from telecell.trajectories import MotionLimits

Array = NDArray[np.float64]


class ArmState(msgspec.Struct, frozen=True):
    """Plain values to go on from."""

    motion: MotionState
    speed_factor: float
    branch: dict[str, str]
    tool: Placement
    mass_kg: float
    centre_m: tuple[float, float, float]
    saved_poses: dict[str, tuple[float, ...]]


class Arm:
    """A robot of the cell.

    Attributes:
        index: of its axes among those of the cell.
        mask: the same as flags.
        motion: what it does.
        speed_factor: set by the holder.
        branch: the configuration in which poses are reached; empty for the nearest.
        tool: the tool frame in the tip frame.
        mass_kg: of what it carries.
        centre_m: where that has its centre, in the tip frame.
        saved_poses: named by users; those of the cell file come first.
        frames: names of the frames that it carries, and its base.
    """

    def __init__(self, cell: Cell, robot: Robot, posture: Posture, period_s: float):
        names = [axis.name for axis in cell.axes]
        self.robot = robot
        self.index = np.array([names.index(name) for name in robot.axis_names])
        self.mask = np.isin(np.arange(len(names)), self.index)
        self.limits = MotionLimits.from_axes(robot.axes)
        self.motion = Motion(self.limits, period_s)
        self.start = tuple(cell.start[i] for i in self.index)
        self.speed_factor = 1.0
        self.branch: dict[str, str] = {}
        self.tool = Pose.identity()
        self.mass_kg, self.centre_m = 0.0, (0.0, 0.0, 0.0)
        self.saved_poses: dict[str, tuple[float, ...]] = {}
        self._posture = posture
        self._solver: InverseSolver | None = None
        self.frames = tuple(dict.fromkeys([robot.base, robot.tip, *posture.list_frames_moved_by(robot.axis_names[0])]))

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def solver(self) -> InverseSolver:
        """Its kinematics, derived when they are first needed."""
        if self._solver is None:
            self._solver = InverseSolver(build_chain(self.robot, self._posture))
        return self._solver

    # Poses

    def get_pose(self, name: str) -> tuple[float, ...]:
        """The joint values of a named pose."""
        known = {**self.robot.poses, **self.saved_poses}
        if name not in known:
            raise UnknownName("pose", name, tuple(known), where=f"robot {self.name}")
        return known[name]

    def place(self, joints: Array, measured: Measurement) -> None:
        """Put the cell into a posture, all axes given and tools and parts as measured; the kinematics follow it."""
        self._posture.set(joints, measured.openings, measured.parts)
        self.solver.chain.set_posture(self._posture.data.qpos)

    def compute_tool(self, own_joints: Array) -> Pose:
        """The tool in the base frame, for joint values of the robot; the rest of the cell as it was placed."""
        return self.solver.chain.forward(own_joints) @ self.tool

    def compute_tip(self, tool_in_base: Pose) -> Pose:
        """Where the tip has to be for the tool to be somewhere."""
        return tool_in_base @ self.tool.inverse()

    def locate(self, frame: str, own_joints: Array, user_frames: Mapping[str, Pose], cell: Cell) -> Pose:
        """A frame in the base frame, the cell being placed.

        Args:
            frame: `base`, `world`, `tool`, a user frame, or a frame of the cell.
            own_joints: where the robot is.
            user_frames: in the world.
            cell: for its frames' names.

        Raises:
            UnknownName: with the known ones.
        """
        if frame == "base":
            return Pose.identity()
        if frame == "tool":
            return self.compute_tool(own_joints)
        world_in_base = self._posture.get_frame(self.robot.base).inverse()
        if frame == "world":
            return world_in_base
        if frame in user_frames:
            return world_in_base @ user_frames[frame]
        known = [entry.name for entry in cell.frames]
        if frame not in known:
            choices = ["base", "world", "tool", *user_frames, *known]
            raise UnknownName("frame", frame, choices, where=f"robot {self.name}")
        return world_in_base @ self._posture.get_frame(frame)

    # Snapshots

    def save(self) -> ArmState:
        """Plain values."""
        return ArmState(
            self.motion.save(),
            self.speed_factor,
            dict(self.branch),
            to_placement(self.tool),
            self.mass_kg,
            self.centre_m,
            dict(self.saved_poses),
        )

    def restore(self, state: ArmState) -> None:
        """Go on from saved values.

        Raises:
            SnapshotMismatch: they are damaged.
        """
        numbers = [state.speed_factor, state.mass_kg, *state.centre_m]
        if not np.isfinite(numbers).all() or not 0.0 < state.speed_factor <= 1.0 or state.mass_kg < 0:
            raise SnapshotMismatch("damaged settings", where=f"robot {self.name}", value=numbers)
        tool = to_pose(state.tool)
        self.motion.restore(state.motion)
        self.speed_factor, self.branch, self.tool = state.speed_factor, dict(state.branch), tool
        self.mass_kg, self.centre_m = state.mass_kg, state.centre_m
        self.saved_poses = dict(state.saved_poses)
