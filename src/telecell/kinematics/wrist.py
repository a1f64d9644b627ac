"""The spherical wrist: three axes through one point, the middle one square to the others.

Near the wrist singularity, where the outer axes line up, a general solver loses the angles of the outer axes; this
one does not, because it takes every angle from an arc tangent of a sine and a cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, pi, remainder, tau

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.screws import ANGLE_TOLERANCE, Screws

ALIGNED = 1e-9
"""Sine between the outer axes below which they count as one line. What this leaves of the rotation is as small."""

_FLIPPED = 1e-10
"""Radians by which one flipped posture may differ from the exact flip of another."""


class SphericalWrist:
    """Solves R(z4, q4) R(z5, q5) R(z6, q6) = R for the three angles.

    With g = z5 x z4, the middle axis turns z6 within the plane of z4 and g, so that

        R z6 = cos(a) z4 + sin(a) (cos(q4) g + sin(q4) z5),   a = q5 + a0
    """

    def __init__(self, screws: Screws):
        """Take the last three axes; use `maybe_find_wrist` unless they are known to be a spherical wrist."""
        self._z4, self._z5, self._z6 = screws.directions[-3:]
        self._g = np.cross(self._z5, self._z4)
        self._a0 = atan2(float(self._z6 @ self._g), float(self._z6 @ self._z4))
        self._h = np.cross(self._z6, self._z5)

    def solve(self, rotation: FloatArray, q4_when_aligned: float) -> list[tuple[float, float, float]]:
        """Both solutions, or one with the given q4 where the outer axes line up and q4 is free."""
        hand = rotation @ self._z6
        along, g, z5 = float(hand @ self._z4), float(hand @ self._g), float(hand @ self._z5)
        sine = hypot(g, z5)
        if sine < ALIGNED:
            return [self._complete(rotation, q4_when_aligned, atan2(0.0, along) - self._a0)]
        return [
            self._complete(rotation, atan2(z5, g), atan2(sine, along) - self._a0),
            self._complete(rotation, atan2(-z5, -g), atan2(-sine, along) - self._a0),
        ]

    def is_flip(self, joints: Sequence[float], others: Sequence[float]) -> bool:
        """Whether two vectors of six joints differ in nothing but the two ways to take a rotation."""
        q1, q2, q3, q4, q5, q6 = joints
        p1, p2, p3, p4, p5, p6 = others
        return (
            (q1 == p1 and q2 == p2 and q3 == p3)
            and abs(abs(q4 - p4) - pi) < _FLIPPED
            and abs(abs(q6 - p6) - pi) < _FLIPPED
            and abs(remainder(q5 + p5 + 2.0 * self._a0, tau)) < _FLIPPED
        )

    def _complete(self, rotation: FloatArray, q4: float, q5: float) -> tuple[float, float, float]:
        """Add q6, from where the wanted rotation takes z5, seen past the first two axes."""
        first_two = rotation_about(self._z4, q4) @ rotation_about(self._z5, q5)
        side = (rotation @ self._z5) @ first_two
        return q4, q5, atan2(float(side @ self._h), float(side @ self._z5))


def rotation_about(axis: FloatArray, angle: float) -> FloatArray:
    """The rotation matrix about a unit vector (Rodrigues)."""
    cross = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


def maybe_find_wrist(screws: Screws) -> SphericalWrist | None:
    """The wrist of an arm whose last three axes meet in a point, the middle one square to the others; else None."""
    if not screws.has_spherical_wrist():
        return None
    z4, z5, z6 = screws.directions[-3:]
    square = abs(float(z4 @ z5)) < ANGLE_TOLERANCE and abs(float(z5 @ z6)) < ANGLE_TOLERANCE
    return SphericalWrist(screws) if square else None
