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
from math import cos, sin

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.screws import ANGLE_TOLERANCE, Screws

BRANCH_NAMES = {"arm": ("lefty", "righty"), "elbow": ("above", "below"), "wrist": ("noflip", "flip")}
"""Every key of a branch with the values it takes."""

_ON_THE_BORDER = -1e-9
"""Rounding does not rename a posture that lies between two branches: down to here it has the first name."""


class BranchNames:
    """Names the branch of a joint vector by plane geometry in the plane of the arm (u along z2 x z1, v along z1).

    In this plane the shoulder turns (u, v) into (u cos + v sin, v cos - u sin), because z2 x u = -v.
    """

    def __init__(self, screws: Screws):
        """Measure the arm; use `maybe_name` unless it is known to have names."""
        z1, z2, z3, z4, z5, z6 = screws.directions
        waist, shoulder, elbow = screws.points[:3]
        plane = np.array([np.cross(z2, z1), z1])
        self._constants = (
            float((plane @ (shoulder - waist))[0]),
            *(plane @ (elbow - shoulder)).tolist(),
            *(plane @ (screws.end - elbow)).tolist(),
            1.0 if z2 @ z3 > 0 else -1.0,
            float(np.cross(z4, z6) @ z5),
            float(z4 @ z6 - (z6 @ z5) * (z4 @ z5)),
        )

    def name(self, joints: Sequence[float]) -> dict[str, str]:
        """The branch of a joint vector."""
        shoulder_u, upper_u, upper_v, fore_u, fore_v, elbow_sense, flip_cos, flip_sin = self._constants
        _, theta2, theta3, _, theta5, _ = joints
        c, s = cos(theta2), sin(theta2)
        elbow_u, elbow_v = c * upper_u + s * upper_v, c * upper_v - s * upper_u
        angle = theta2 + elbow_sense * theta3
        c, s = cos(angle), sin(angle)
        wrist_u, wrist_v = elbow_u + c * fore_u + s * fore_v, elbow_v + c * fore_v - s * fore_u
        above_line = wrist_u * elbow_v - wrist_v * elbow_u
        if wrist_u < 0.0:
            above_line = -above_line
        flip = cos(theta5) * flip_cos + sin(theta5) * flip_sin
        return {
            "arm": "lefty" if shoulder_u + wrist_u >= _ON_THE_BORDER else "righty",
            "elbow": "above" if above_line >= _ON_THE_BORDER else "below",
            "wrist": "noflip" if flip >= _ON_THE_BORDER else "flip",
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
