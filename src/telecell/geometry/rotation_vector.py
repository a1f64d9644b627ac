"""Rotation vectors: the axis times the angle in radians; the exponential and logarithm of rotations."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

import numpy as np
from numpy.typing import ArrayLike

from telecell.geometry.arrays import FloatArray, validate_array
from telecell.geometry.quaternion import quaternion_from_rotation, rotation_from_quaternion


def rotation_from_vector(vector_rad: ArrayLike) -> FloatArray:
    """The rotation by the vector's length about its direction (exponential).

    Raises:
        InputError: not three finite numbers.
    """
    x, y, z = validate_array("rotation vector", vector_rad, (3,)).tolist()
    angle = hypot(x, y, z)
    scale = sin(angle / 2) / angle if angle > 0 else 0.5
    return rotation_from_quaternion((cos(angle / 2), scale * x, scale * y, scale * z))


def vector_from_rotation(rotation: FloatArray) -> FloatArray:
    """The shortest rotation vector of a rotation (logarithm); its length is at most pi.

    A half turn has two, along both directions of its axis; either may come back.
    """
    w, x, y, z = quaternion_from_rotation(rotation).tolist()
    sine = hypot(x, y, z)
    scale = 2 * atan2(sine, w) / sine if sine > 0 else 2.0
    return np.array([scale * x, scale * y, scale * z])


def rotation_angle(rotation: FloatArray) -> float:
    """How far a rotation turns, 0 to pi; unlike acos of the trace, accurate at both ends."""
    w, x, y, z = quaternion_from_rotation(rotation).tolist()
    return 2 * atan2(hypot(x, y, z), w)
