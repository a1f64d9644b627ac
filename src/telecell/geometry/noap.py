"""N-O-A-P: a pose as twelve numbers, the columns of [R | p] one after the other.

N (normal), O (orientation) and A (approach) are the axes of the hand in the base frame, P is its position.
MIT's arm controllers sent them as `Nx Ny Nz Ox Oy Oz Ax Ay Az Px Py Pz`. Metres here; the protocol converts
to its own unit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from telecell.geometry.arrays import FloatArray, validate_array
from telecell.geometry.pose import Pose


def pose_from_noap(numbers: ArrayLike) -> Pose:
    """The pose of twelve numbers; single precision is enough.

    Raises:
        InputError: not twelve finite numbers, or N, O, A are not right-handed perpendicular unit vectors.
    """
    columns = validate_array("N-O-A-P transform", numbers, (12,)).reshape(4, 3)
    return Pose(columns[:3].T, columns[3])


def noap_from_pose(pose: Pose) -> FloatArray:
    """The twelve numbers of a pose."""
    return np.concatenate([pose.rotation.T.ravel(), pose.position])
