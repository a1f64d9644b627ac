"""Between poses and the plain numbers that messages carry."""

from __future__ import annotations

from telecell.geometry import Pose
from telecell.messages import Placement


def to_placement(pose: Pose) -> Placement:
    """A pose as plain numbers."""
    x, y, z = pose.position.tolist()
    w, i, j, k = pose.quaternion().tolist()
    return Placement((x, y, z), (w, i, j, k))


def to_pose(placement: Placement) -> Pose:
    """A pose from plain numbers.

    Raises:
        InputError: not finite, or not a rotation.
    """
    return Pose.from_quaternion(placement.position_m, placement.quaternion_wxyz)
