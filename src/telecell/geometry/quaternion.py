"""Unit quaternions, scalar first: w, x, y, z."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError
from telecell.geometry.arrays import FloatArray, validate_array

UNIT_TOLERANCE = 1e-3
"""How far a length may be from 1: (0.707, 0, 0.707, 0) passes, four numbers of something else do not."""


def rotation_from_quaternion(quaternion_wxyz: ArrayLike) -> FloatArray:
    """The rotation of a quaternion, which is normalised first.

    Raises:
        InputError: not four finite numbers, or a length that is not 1 within `UNIT_TOLERANCE`.
    """
    quaternion = validate_array("quaternion", quaternion_wxyz, (4,))
    length = float(np.linalg.norm(quaternion))
    if abs(length - 1.0) > UNIT_TOLERANCE:
        raise InputError(
            "quaternion is not of unit length",
            value=quaternion.tolist(),
            limit=f"1 +- {UNIT_TOLERANCE}, its length is {length:.6g}",
            remedy="Divide it by its length; the order is w, x, y, z.",
        )
    w, x, y, z = (quaternion / length).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_rotation(rotation: FloatArray) -> FloatArray:
    """The quaternion w, x, y, z of a rotation with w >= 0.

    Divides by the largest of the four components (Shepperd 1978), so that it is exact near half turns too.
    """
    (r11, r12, r13), (r21, r22, r23), (r31, r32, r33) = rotation.tolist()
    # Row i of the symmetric matrix 4 q qᵀ is 4 q_i q; its diagonal is 4 q_i².
    ww, xx, yy, zz = 1 + r11 + r22 + r33, 1 + r11 - r22 - r33, 1 - r11 + r22 - r33, 1 - r11 - r22 + r33
    wx, wy, wz = r32 - r23, r13 - r31, r21 - r12
    xy, xz, yz = r12 + r21, r13 + r31, r23 + r32
    largest = max(ww, xx, yy, zz)
    if largest == ww:
        row = (ww, wx, wy, wz)
    elif largest == xx:
        row = (wx, xx, xy, xz)
    elif largest == yy:
        row = (wy, xy, yy, yz)
    else:
        row = (wz, xz, yz, zz)
    scale = 0.5 / sqrt(largest)
    return np.array(row) * (scale if row[0] >= 0 else -scale)
