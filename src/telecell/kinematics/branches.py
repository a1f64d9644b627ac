"""Names of the ways in which an arm reaches one pose: lefty or righty, elbow above or below, wrist flipped or not.

The names come from the lines of the axes alone. They exist for arms built like the PUMA 560: a waist, a shoulder
square to it, an elbow parallel to the shoulder, and three wrist axes that meet in a point. For that arm they are
the words of its controller:

    arm    lefty when the wrist centre lies on the side z2 x z1 of the waist axis, else righty
    elbow  above when the elbow lies above the line from shoulder to wrist centre, up being z1, else below
    wrist  noflip when (z4 x z6) . z5 is positive (PUMA: joint 5 above zero), else flip
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, sin

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.screws import ANGLE_TOLERANCE, Screws

BRANCH_NAMES = {"arm": ("lefty", "righty"), "elbow": ("above", "below"), "wrist": ("noflip", "flip")}
"""Every key of a branch with the values it takes."""

_BORDER = -1e-9
"""Where two branches meet the first name holds, also when rounding made the number a little negative."""


class BranchNames:
    """Names the branch of a joint vector.

    The wrist centre moves in a plane through z1: u = z2 x z1 outwards, v = z1 upwards, in which a hinge about z2
    turns by q from u towards -v. With upper arm and forearm of lengths a, f and angles alpha, phi at zero,

        u of the wrist centre from the shoulder   a cos(q2 - alpha) + f cos(q2 + q3 - phi)
        forearm x upper arm                       a f sin(q3 + alpha - phi)

    where the sign of q3 changes if z3 points against z2, and (z4 x z6) . z5 is a sine of q5 plus a constant.
    """

    def __init__(self, screws: Screws):
        """Measure the arm; use `maybe_name` unless it is known to have names."""
        z1, z2, z3, z4, z5, z6 = screws.directions
        waist, shoulder, elbow = screws.points[:3]
        plane = np.array([np.cross(z2, z1), z1])
        shoulder_u = float(plane[0] @ (shoulder - waist))
        upper_u, upper_v = (plane @ (elbow - shoulder)).tolist()
        fore_u, fore_v = (plane @ (screws.end - elbow)).tolist()
        wrist_cos = float(np.cross(z4, z6) @ z5)
        wrist_sin = float(z4 @ z6 - (z6 @ z5) * (z4 @ z5))
        self._lengths = shoulder_u, hypot(upper_u, upper_v), hypot(fore_u, fore_v)
        self._angles = atan2(upper_v, upper_u), atan2(fore_v, fore_u), atan2(wrist_cos, wrist_sin)
        self._elbow_sense = 1.0 if z2 @ z3 > 0 else -1.0

    def name(self, joints: Sequence[float]) -> dict[str, str]:
        """The branch of a joint vector, whose last six values are those of the arm."""
        shoulder_u, upper, fore = self._lengths
        alpha, phi, wrist_angle = self._angles
        q2, q3, q5 = joints[-5], joints[-4] * self._elbow_sense, joints[-2]
        u = upper * cos(q2 - alpha) + fore * cos(q2 + q3 - phi)
        bend = sin(q3 + alpha - phi)
        return {
            "arm": "lefty" if shoulder_u + u >= _BORDER else "righty",
            "elbow": "above" if (bend if u >= 0.0 else -bend) >= _BORDER else "below",
            "wrist": "noflip" if sin(q5 + wrist_angle) >= _BORDER else "flip",
        }


def maybe_name(screws: Screws) -> BranchNames | None:
    """The names of an arm's branches, or None for an arm of another build."""
    if len(screws) != 6 or any(screws.slides) or not screws.has_spherical_wrist():
        return None
    z1, z2, z3 = screws.directions[:3]
    square = abs(float(z1 @ z2)) < ANGLE_TOLERANCE
    return BranchNames(screws) if square and _are_parallel(z2, z3) else None


def _are_parallel(a: FloatArray, b: FloatArray) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < ANGLE_TOLERANCE
