"""Where everything in a cell is, for given axes, tools and parts."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from telecell.errors import UnknownName
from telecell.geometry import Pose
from telecell.kinematics.axes import is_carried
from telecell.kinematics.chain import Chain
from telecell.models import WORLD, Cell, Robot, build_start_posture, compile_world
from telecell.models.couplings import find_followers

Array = NDArray[np.float64]


class Posture:
    """The cell's world model put into a posture: body and frame poses, without physics.

    Attributes:
        model: the compiled world.
        data: its kinematics at the posture that was last set.
    """

    def __init__(self, cell: Cell):
        self.cell = cell
        self.model = compile_world(cell)
        self.data = mujoco.MjData(self.model)
        self._axes = self._addresses([axis.name for axis in cell.axes])
        self._fingers = self._addresses([joint for tool in cell.tools for joint in tool.joints])
        self._finger_tool = np.array([k for k, tool in enumerate(cell.tools) for _ in tool.joints], dtype=int)
        self._closed = np.array([value for tool in cell.tools for value in tool.closed])
        self._open = np.array([value for tool in cell.tools for value in tool.open])
        parts = [self.model.body(cell.get_part_body(name)).jntadr[0] for name in cell.parts]
        self._parts = self.model.jnt_qposadr[parts][:, None] + np.arange(7)
        self._followers = find_followers(self.model, cell.commanded_joints)
        self.data.qpos[:] = build_start_posture(cell, self.model)
        mujoco.mj_kinematics(self.model, self.data)

    def _addresses(self, joints: list[str]) -> NDArray[np.int32]:
        return self.model.jnt_qposadr[[self.model.joint(name).id for name in joints]]

    def set(self, joints: ArrayLike, openings: ArrayLike | None = None, parts: ArrayLike | None = None) -> None:
        """Put the cell into a posture.

        Args:
            joints: a value per axis of the cell, rad or m.
            openings: per tool, 0 closed to 1 open; left as it is without.
            parts: position and quaternion wxyz per part; left where they are without.
        """
        self.data.qpos[self._axes] = joints
        if openings is not None:
            fraction = np.asarray(openings)[self._finger_tool]
            self.data.qpos[self._fingers] = self._closed + fraction * (self._open - self._closed)
        if parts is not None:
            self.data.qpos[self._parts] = parts
        for coupling in self._followers:
            address = self.model.jnt_qposadr[coupling.follower]
            self.data.qpos[address] = coupling.compute(self.model, self.data.qpos)
        mujoco.mj_kinematics(self.model, self.data)

    def get_frame(self, name: str) -> Pose:
        """A named frame in the world."""
        if name == WORLD:
            return Pose.identity()
        try:
            site = self.data.site(name)
        except KeyError:
            raise UnknownName("frame", name, [frame.name for frame in self.cell.frames]) from None
        return Pose.trusted(site.xmat.reshape(3, 3).copy(), site.xpos.copy())

    def list_frames_moved_by(self, axis: str) -> tuple[str, ...]:
        """The frames that an axis carries along."""
        joint = self.model.joint(axis).id
        names = [frame.name for frame in self.cell.frames if frame.name != WORLD]
        return tuple(name for name in names if is_carried(self.model, self.model.site(name).id, joint))

    @property
    def body_positions(self) -> Array:
        """Position of every body of the model in the world."""
        return self.data.xpos

    @property
    def body_quaternions(self) -> Array:
        """Quaternion wxyz of every body of the model in the world."""
        return self.data.xquat


def build_chain(robot: Robot, posture: Posture) -> Chain:
    """The kinematics of one robot of a cell, the rest of it standing as the posture says."""
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
