"""Where something is and how it is turned: the pose of one frame in another."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError
from telecell.geometry.arrays import FloatArray, validate_array
from telecell.geometry.quaternion import quaternion_from_rotation, rotation_from_quaternion
from telecell.geometry.rotation import ORTHONORMAL_TOLERANCE, validate_rotation
from telecell.geometry.rotation_vector import rotation_angle
from telecell.geometry.rpy import rotation_from_rpy, rpy_from_rotation

SHORTEST_M = 1e-4
"""Points that are closer together define no direction."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Pose:
    """The pose of a frame b in a frame a, written `T_ab`: `T_ab @ p_b` is the point `p_b` seen from a.

    Poses chain by their inner letters, `T_ac = T_ab @ T_bc`, and never change. The constructor and the
    `from_` methods check and copy their input and raise `InputError`; `trusted` does neither.

    Attributes:
        rotation: 3 x 3, read-only; its columns are the axes of b in a.
        position: 3, read-only; the origin of b in a, metres.
    """

    rotation: FloatArray
    position: FloatArray

    def __init__(self, rotation: ArrayLike, position: ArrayLike):
        self._fill(validate_rotation(rotation), validate_array("position", position, (3,)))

    def _fill(self, rotation: FloatArray, position: FloatArray) -> None:
        rotation.setflags(write=False)
        position.setflags(write=False)
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "position", position)

    @classmethod
    def trusted(cls, rotation: FloatArray, position: FloatArray) -> Pose:
        """A pose from computed arrays, for inner loops: no check, no copy.

        Both must be float64 arrays that nobody else writes to (not views into a simulator's buffers), and
        the rotation orthonormal. They become read-only.
        """
        pose = object.__new__(cls)
        pose._fill(rotation, position)
        return pose

    @classmethod
    def identity(cls) -> Pose:
        """A frame in itself."""
        return cls.trusted(np.eye(3), np.zeros(3))

    @classmethod
    def translation(cls, x: float, y: float, z: float) -> Pose:
        """A frame moved by metres and not turned."""
        return cls.trusted(np.eye(3), validate_array("position", (x, y, z), (3,)))

    @classmethod
    def from_xyz_rpy(cls, xyz_m: ArrayLike, rpy_rad: ArrayLike) -> Pose:
        """From a position and roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""
        return cls.trusted(rotation_from_rpy(rpy_rad), validate_array("position", xyz_m, (3,)))

    @classmethod
    def from_quaternion(cls, position: ArrayLike, quaternion_wxyz: ArrayLike) -> Pose:
        """From a position and a quaternion w, x, y, z of about unit length, which is normalised."""
        return cls.trusted(rotation_from_quaternion(quaternion_wxyz), validate_array("position", position, (3,)))

    @classmethod
    def from_points(cls, origin: ArrayLike, on_x: ArrayLike, towards_y: ArrayLike) -> Pose:
        """From three points: the origin, one on the positive x axis, one in the half plane of positive y.

        Raises:
            InputError: not three finite points, or points on one line.
        """
        corner = validate_array("origin", origin, (3,))
        along = validate_array("point on x", on_x, (3,)) - corner
        aside = validate_array("point towards y", towards_y, (3,)) - corner
        normal = np.cross(along, aside)
        length, area = float(np.linalg.norm(along)), float(np.linalg.norm(normal))
        if length < SHORTEST_M or area < SHORTEST_M * length:
            raise InputError(
                "the three points lie on one line",
                value=[corner.tolist(), (corner + along).tolist(), (corner + aside).tolist()],
                limit=f"{SHORTEST_M} m apart",
                remedy="Choose points that are farther apart, and not on one line.",
            )
        x, z = along / length, normal / area
        return cls.trusted(np.column_stack([x, np.cross(z, x), z]), corner)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """From a homogeneous 4 x 4 transform."""
        checked = validate_array("transform", matrix, (4, 4))
        if np.abs(checked[3] - (0.0, 0.0, 0.0, 1.0)).max() > ORTHONORMAL_TOLERANCE:
            raise InputError(
                "transform has a wrong last row",
                value=checked[3].tolist(),
                remedy="It must be 0, 0, 0, 1; a transform for row vectors has to be transposed.",
            )
        return cls(checked[:3, :3], checked[:3, 3])

    @overload
    def __matmul__(self, other: Pose) -> Pose: ...
    @overload
    def __matmul__(self, other: ArrayLike) -> FloatArray: ...
    def __matmul__(self, other: Pose | ArrayLike) -> Pose | FloatArray:
        """Chain with a pose, or bring a point (3,) or points (n, 3) from b to a."""
        if isinstance(other, Pose):
            return Pose.trusted(self.rotation @ other.rotation, self.rotation @ other.position + self.position)
        points = np.asarray(other, dtype=np.float64)
        if points.ndim not in (1, 2) or points.shape[-1] != 3:
            raise InputError(
                "points have the wrong shape",
                value=points.shape,
                limit="(3,) or (n, 3)",
                remedy="Give one point, or one point per row.",
            )
        return points @ self.rotation.T + self.position

    def inverse(self) -> Pose:
        """The pose of a in b."""
        return Pose.trusted(self.rotation.T.copy(), -(self.position @ self.rotation))

    def as_matrix(self) -> FloatArray:
        """The homogeneous 4 x 4 transform, as a new array."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.position
        return matrix

    def quaternion(self) -> FloatArray:
        """The rotation as a unit quaternion w, x, y, z with w >= 0."""
        return quaternion_from_rotation(self.rotation)

    def rpy(self) -> FloatArray:
        """The rotation as roll, pitch, yaw in radians; at a pitch of +-90 degrees the roll is 0."""
        return rpy_from_rotation(self.rotation)

    def distance_to(self, other: Pose) -> tuple[float, float]:
        """How far apart two poses in the same frame are: metres between origins, radians between axes."""
        return dist(self.position, other.position), rotation_angle(self.rotation.T @ other.rotation)

    def almost_equal(self, other: Pose, position_m: float = 1e-9, angle_rad: float = 1e-9) -> bool:
        """Whether both distances to the other pose are within bounds."""
        metres, radians = self.distance_to(other)
        return metres <= position_m and radians <= angle_rad

    def __eq__(self, other: object) -> bool:
        """Whether all twelve numbers are the same; `almost_equal` compares computed poses."""
        if not isinstance(other, Pose):
            return NotImplemented
        return np.array_equal(self.rotation, other.rotation) and np.array_equal(self.position, other.position)

    def __hash__(self) -> int:
        return hash((*self.rotation.flat, *self.position.flat))

    def __reduce__(self):
        # Rebuilt through `trusted`, because a copied or unpickled numpy array is writable again.
        return Pose.trusted, (self.rotation, self.position)

    def __repr__(self) -> str:
        xyz = ", ".join(f"{metres:z.4f}" for metres in self.position)
        rpy = ", ".join(f"{degrees:z.2f}" for degrees in np.degrees(self.rpy()))
        return f"Pose(xyz_m=({xyz}), rpy_deg=({rpy}))"
