"""Twists and wrenches: six numbers that belong to a frame, and their way from one frame to another.

A twist is the velocity of the body's point at the frame's origin, then the angular velocity. A wrench is the
force, then the torque about the frame's origin. Both are stated along the frame's axes. Their dot product is
the power, whichever frame they are stated in.
"""

from __future__ import annotations

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.geometry.pose import Pose


def skew(vector: FloatArray) -> FloatArray:
    """The 3 x 3 matrix S with S @ u = vector x u."""
    x, y, z = vector.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def adjoint(pose_a_in_b: Pose) -> FloatArray:
    """The 6 x 6 matrix that brings twists from frame a to frame b."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = pose_a_in_b.rotation
    matrix[:3, 3:] = skew(pose_a_in_b.position) @ pose_a_in_b.rotation
    return matrix


def transport_twist(pose_a_in_b: Pose, twist_in_a: FloatArray) -> FloatArray:
    """State in frame b a twist (6,), or a Jacobian (6, n) of twists, that is stated in frame a."""
    return adjoint(pose_a_in_b) @ twist_in_a


def transport_wrench(pose_a_in_b: Pose, wrench_in_a: FloatArray) -> FloatArray:
    """State in frame b a wrench (6,), or wrenches (6, n) in columns, that is stated in frame a."""
    # Power is the same in both frames, so wrenches take the transposed way of twists from b to a.
    return adjoint(pose_a_in_b.inverse()).T @ wrench_in_a
