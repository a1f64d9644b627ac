"""A robot's axes between two frames of a compiled model: poses, Jacobian and limits."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, UnknownName
from telecell.geometry import Pose
from telecell.geometry.arrays import FloatArray
from telecell.kinematics.axes import (
    find_joints,
    is_carried,
    is_slide,
    read_limits,
    read_weights,
    validate_values,
)
from telecell.kinematics.screws import Screws, find_wrist_centre

WORLD = "world"
"""The frame that no site marks."""


class Chain:
    """The ordered axes of one robot, from a base frame to a tip frame.

    Frames are the sites of the model, and `"world"`; bodies are not frames. Whatever else the model holds (other
    robots, parts, a cart under the arm) stands still at the posture, see `set_posture`. A chain has simulation
    data of its own, so it never disturbs a running simulation; it is not meant for two threads at once.

    Attributes:
        name: the robot's name, for error texts.
        axes: joint names from base to tip.
        base: frame that poses are stated in.
        tip: frame that poses are stated for.
        limits: (n, 2) lower and upper limits, radians or metres, read-only.
        weights: (n,) factor of each axis' squared motion in distances between joint vectors, read-only.
        screws: the lines of the axes, all at zero, in the root frame: that of the body which carries the first.
        root_in_base: pose of the root frame in the base frame, at the present posture.
        tip_at_zero: pose of the tip in the root frame with every axis at zero, at the present posture.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        *,
        axes: Sequence[str],
        base: str,
        tip: str,
        limits: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        posture: ArrayLike | None = None,
        name: str = "robot",
    ):
        """Look up the axes and frames.

        Args:
            model: compiled model; it is read, never changed.
            axes: hinges and slides: every joint from the first to the last axis, in order from base to tip.
            base: site name or `"world"`; it must not move with the axes.
            tip: site name; it must move with the last axis.
            limits: (n, 2), lower below upper; without, the ranges of the model, and -pi to pi for a hinge that
                has none.
            weights: (n,) positive; ones by default.
            posture: full qpos of the model; its own reference by default.
            name: the robot's name.

        Raises:
            UnknownName: a joint or site that the model does not have.
            InputError: axes that are no serial arm from base to tip, or bad limits or weights.
            JointOutOfRange: a posture of the wrong length or not finite.
        """
        self.name, self.axes, self.base, self.tip = name, tuple(axes), base, tip
        self._model, self._data = model, mujoco.MjData(model)
        self._sites = {model.site(i).name: i for i in range(model.nsite)}
        joints = find_joints(model, self.axes, name)
        self._validate_frames(joints)
        self._qpos_index = model.jnt_qposadr[joints]
        self._dof_index = model.jnt_dofadr[joints]
        self._root_body = int(model.body_parentid[model.jnt_bodyid[joints[0]]])
        self.limits = read_limits(model, joints, limits, name)
        self.weights = read_weights(len(joints), weights, name)
        self.set_posture(model.qpos0 if posture is None else posture)
        self.screws = self._compute_screws(joints)

    def __len__(self) -> int:
        return len(self.axes)

    def set_posture(self, qpos: ArrayLike) -> None:
        """Say where the rest of the model stands; the values of the chain's own axes in it are ignored.

        Raises:
            JointOutOfRange: wrong length, or not finite.
        """
        self._posture = validate_values(qpos, self._model.nq, "posture", self.name).copy()
        self._place(np.zeros(len(self)))
        root = self._get_root_pose()
        self._world_in_base = self._get_pose(self.base).inverse()
        self.root_in_base = self._world_in_base @ root
        self.tip_at_zero = root.inverse() @ self._get_pose(self.tip)

    def forward(self, joints: ArrayLike, frame: str | None = None, base: str | None = None) -> Pose:
        """The pose of one frame in another; of the tip in the base unless told otherwise.

        Raises:
            JointOutOfRange: wrong length, or not finite. Values outside the limits are accepted.
            UnknownName: a frame that the model does not have.
        """
        self._place(self.validate_joints(joints))
        world_in_base = self._get_pose(base).inverse() if base else self._world_in_base
        return world_in_base @ self._get_pose(frame or self.tip)

    def jacobian(self, joints: ArrayLike, frame: str | None = None) -> FloatArray:
        """How a frame (the tip unless told otherwise) moves with the axes, seen from the base frame.

        Returns:
            (6, n): velocity of the frame's origin, then angular velocity, per unit of axis velocity.

        Raises:
            JointOutOfRange: wrong length, or not finite.
            UnknownName: a frame that the model does not have.
        """
        site = self._find_site(frame or self.tip)
        self._place(self.validate_joints(joints))
        mujoco.mj_comPos(self._model, self._data)
        in_world = np.zeros((6, self._model.nv))
        if site is not None:
            mujoco.mj_jacSite(self._model, self._data, in_world[:3], in_world[3:], site)
        columns = in_world[:, self._dof_index].reshape(2, 3, len(self))
        return (self._world_in_base.rotation @ columns).reshape(6, len(self))

    def manipulability(self, joints: ArrayLike) -> float:
        """Yoshikawa's measure at the tip: the product of the Jacobian's singular values, 0 where it is singular.

        The Jacobian mixes metres and radians, so values compare postures of one robot, not robots.
        """
        return float(np.prod(np.linalg.svd(self.jacobian(joints), compute_uv=False)))

    def limit_margins(self, joints: ArrayLike) -> FloatArray:
        """Distance of each axis to its nearest limit, radians or metres; negative outside."""
        values = self.validate_joints(joints)
        return np.minimum(values - self.limits[:, 0], self.limits[:, 1] - values)

    def validate_joints(self, joints: ArrayLike) -> FloatArray:
        """Joint values as an array.

        Raises:
            JointOutOfRange: not numbers, wrong length, or not finite.
        """
        return validate_values(joints, len(self), "joint vector", self.name)

    def _place(self, joints: FloatArray) -> None:
        self._data.qpos[:] = self._posture
        self._data.qpos[self._qpos_index] = joints
        mujoco.mj_kinematics(self._model, self._data)

    def _get_root_pose(self) -> Pose:
        rotation = self._data.xmat[self._root_body].reshape(3, 3).copy()
        return Pose.trusted(rotation, self._data.xpos[self._root_body].copy())

    def _get_pose(self, frame: str) -> Pose:
        site = self._find_site(frame)
        if site is None:
            return Pose.identity()
        rotation = self._data.site_xmat[site].reshape(3, 3).copy()
        return Pose.trusted(rotation, self._data.site_xpos[site].copy())

    def _find_site(self, frame: str) -> int | None:
        if frame == WORLD:
            return None
        if frame not in self._sites:
            raise UnknownName("frame", frame, [WORLD, *self._sites], where=self.name)
        return self._sites[frame]

    def _validate_frames(self, joints: Sequence[int]) -> None:
        if not is_carried(self._model, self._find_site(self.tip), joints[-1]):
            raise InputError(
                f"the tip does not move with the last axis {self.axes[-1]!r}",
                where=self.name,
                value=self.tip,
                remedy="Choose a site on the last body, or on one that it carries.",
            )
        if is_carried(self._model, self._find_site(self.base), joints[0]):
            raise InputError(
                f"the base moves with the first axis {self.axes[0]!r}",
                where=self.name,
                value=self.base,
                remedy="Choose a site under the first axis, or 'world'.",
            )

    def _compute_screws(self, joints: Sequence[int]) -> Screws:
        """Read the lines of the axes where `set_posture` left them: all at zero."""
        root = self._get_root_pose()
        directions = self._data.xaxis[joints] @ root.rotation
        points = (self._data.xanchor[joints] - root.position) @ root.rotation
        slides = tuple(is_slide(self._model, joint) for joint in joints)
        centre = find_wrist_centre(directions, points, slides)
        return Screws(directions, points, slides, points[-1] if centre is None else centre)
