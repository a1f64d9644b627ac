"""Rotation matrices: 3 x 3, right-handed, acting on column vectors; angles in radians."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError
from telecell.geometry.arrays import FloatArray, validate_array

ORTHONORMAL_TOLERANCE = 1e-6
"""Largest accepted element of RᵀR - I: single precision passes, a matrix typed with three digits does not."""

DEGENERATE = 1e-10
"""Below this cosine of the middle angle, the outer two of three angles count as turning about one line."""


def rotation_x(angle: float) -> FloatArray:
    """Rotation about x."""
    c, s = cos(angle), sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: float) -> FloatArray:
    """Rotation about y."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: float) -> FloatArray:
    """Rotation about z."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def validate_rotation(values: ArrayLike) -> FloatArray:
    """Copy a rotation matrix from outside, removing what single precision or rounding did to it.

    Raises:
        InputError: not 3 x 3 finite numbers, not orthonormal within `ORTHONORMAL_TOLERANCE`, or a reflection.
    """
    rotation = validate_array("rotation matrix", values, (3, 3))
    gram = rotation.T @ rotation
    error = float(np.abs(gram - np.eye(3)).max())
    if error > ORTHONORMAL_TOLERANCE:
        raise InputError(
            "rotation matrix is not orthonormal",
            value=error,
            limit=ORTHONORMAL_TOLERANCE,
            remedy="Its columns must be perpendicular unit vectors; give more digits, or a quaternion.",
        )
    if np.linalg.det(rotation) < 0:
        raise InputError(
            "rotation matrix is a reflection",
            value=rotation.tolist(),
            remedy="Its columns must be right-handed: swap two of them or turn one round.",
        )
    # One Newton step towards the nearest rotation squares the error: 1e-6 becomes 1e-12.
    return rotation @ (1.5 * np.eye(3) - 0.5 * gram)
