"""Roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll), the order of URDF and of Telecell's files."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

import numpy as np
from numpy.typing import ArrayLike

from telecell.geometry.arrays import FloatArray, validate_array
from telecell.geometry.rotation import DEGENERATE, rotation_x, rotation_y, rotation_z


def rotation_from_rpy(rpy_rad: ArrayLike) -> FloatArray:
    """The rotation Rz(yaw) Ry(pitch) Rx(roll).

    Raises:
        InputError: not three finite numbers.
    """
    roll, pitch, yaw = validate_array("roll, pitch, yaw", rpy_rad, (3,)).tolist()
    return rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll)


def rpy_from_rotation(rotation: FloatArray) -> FloatArray:
    """Roll, pitch and yaw in radians, with the pitch between -90 and 90 degrees.

    At a pitch of 90 degrees only yaw - roll is defined, at -90 degrees only yaw + roll; then the roll is 0.
    """
    (_, r12, r13), (_, r22, r23), (r31, r32, r33) = rotation.tolist()
    cos_pitch = hypot(r32, r33)
    roll = atan2(r32, r33) if cos_pitch > DEGENERATE else 0.0
    # The yaw is read with the roll taken off, so that near the degenerate pitch their errors cancel.
    c, s = cos(roll), sin(roll)
    return np.array([roll, atan2(-r31, cos_pitch), atan2(s * r13 - c * r12, c * r22 - s * r23)])
