"""How fast the tips of a cell's robots move, all axes taken together."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from telecell.kinematics.axes import is_carried
from telecell.kinematics.posture import Posture

Array = NDArray[np.float64]


class Tips:
    """The tip frames of all robots of a cell, each once, as functions of all axes.

    Attributes:
        frames: names of the distinct tip frames.
        of_robot: for each robot of the cell, the index of its tip among them.
        moved_by: (tips, axes) whether an axis moves a tip.
    """

    def __init__(self, posture: Posture):
        """Look up the frames; the posture is set anew by every computation."""
        self._posture, cell = posture, posture.cell
        model = posture.model
        self.frames = tuple(dict.fromkeys(robot.tip for robot in cell.robots))
        self.of_robot = tuple(self.frames.index(robot.tip) for robot in cell.robots)
        joints = [model.joint(axis.name).id for axis in cell.axes]
        self._qpos = model.jnt_qposadr[joints]
        self._dof = model.jnt_dofadr[joints]
        self._sites = [model.site(name).id for name in self.frames]
        self._all = np.zeros((len(self._sites), 3, model.nv))
        movers = [is_carried(model, site, joint) for site in self._sites for joint in joints]
        self.moved_by = np.array(movers, dtype=bool).reshape(len(self._sites), len(joints))

    def compute_jacobians(self, joints: ArrayLike) -> Array:
        """(tips, 3, axes): velocity of each tip in the world per unit of velocity of each axis.

        Args:
            joints: a value per axis of the cell, rad or m.
        """
        model, data = self._posture.model, self._posture.data
        data.qpos[self._qpos] = joints
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        for row, site in zip(self._all, self._sites, strict=True):
            mujoco.mj_jacSite(model, data, row, None, site)
        return self._all[:, :, self._dof]

    def compute_gravity_torques(self, tip: int, offset: ArrayLike, mass_kg: float, joints: ArrayLike) -> Array:
        """What each axis has to give so that a mass carried at a tip does not sink, N·m or N.

        Args:
            tip: index into `frames`.
            offset: the centre of the mass in the tip frame, m.
            mass_kg: how heavy it is.
            joints: a value per axis of the cell.
        """
        model, data = self._posture.model, self._posture.data
        data.qpos[self._qpos] = joints
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        site = self._sites[tip]
        point = data.site_xpos[site] + data.site_xmat[site].reshape(3, 3) @ np.asarray(offset)
        jacobian = np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, jacobian, None, point, int(model.site_bodyid[site]))
        return -mass_kg * (model.opt.gravity @ jacobian)[self._dof]
