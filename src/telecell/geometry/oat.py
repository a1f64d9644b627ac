"""O, A, T: how VAL, the language of the PUMA controllers, states the orientation of a hand.

With all three zero, the hand's approach axis (its z) points along -y and its y axis along +x. O turns the
hand about the vertical, A tilts the approach axis down from the horizontal (-90 degrees is straight up), and
T turns the hand about its approach axis.

Other makers use the same letters for other angles (Kawasaki AS: R = Rz(O) Ry(A) Rz(T)); this is VAL's.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

import numpy as np
from numpy.typing import ArrayLike

from telecell.geometry.arrays import FloatArray, validate_array
from telecell.geometry.rotation import DEGENERATE, rotation_y, rotation_z


def rotation_from_oat(oat_rad: ArrayLike) -> FloatArray:
    """The rotation Rz(O - 90 deg) Ry(A + 90 deg) Rz(T).

    Raises:
        InputError: not three finite numbers.
    """
    o, a, t = validate_array("O, A, T", oat_rad, (3,)).tolist()
    return rotation_z(o - pi / 2) @ rotation_y(a + pi / 2) @ rotation_z(t)


def oat_from_rotation(rotation: FloatArray) -> FloatArray:
    """O, A and T in radians, with A between -90 and 90 degrees.

    With the hand straight up (A = -90 degrees) only O + T is defined, straight down only O - T; then T is 0.
    """
    (r11, r12, _), (r21, r22, _), (r31, r32, r33) = rotation.tolist()
    cos_a = hypot(r31, r32)
    t = atan2(r32, -r31) if cos_a > DEGENERATE else 0.0
    # O is read with T taken off, so that near the degenerate A their errors cancel.
    c, s = cos(t), sin(t)
    return np.array([atan2(s * r21 + c * r22, s * r11 + c * r12), atan2(-r33, cos_a), t])
