"""Poses, rotations, twists and wrenches on numpy alone: metres, radians, quaternions w, x, y, z."""

from telecell.geometry.arrays import FloatArray
from telecell.geometry.noap import noap_from_pose, pose_from_noap
from telecell.geometry.oat import oat_from_rotation, rotation_from_oat
from telecell.geometry.pose import Pose
from telecell.geometry.quaternion import quaternion_from_rotation, rotation_from_quaternion
from telecell.geometry.rotation import rotation_x, rotation_y, rotation_z, validate_rotation
from telecell.geometry.rotation_vector import rotation_angle, rotation_from_vector, vector_from_rotation
from telecell.geometry.rpy import rotation_from_rpy, rpy_from_rotation
from telecell.geometry.spatial import adjoint, skew, transport_twist, transport_wrench
from telecell.geometry.units import deg
from telecell.geometry.views import VIEWS_DEG, View, fit_view

__all__ = [
    "VIEWS_DEG",
    "FloatArray",
    "Pose",
    "View",
    "adjoint",
    "deg",
    "fit_view",
    "noap_from_pose",
    "oat_from_rotation",
    "pose_from_noap",
    "quaternion_from_rotation",
    "rotation_angle",
    "rotation_from_oat",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rotation_from_vector",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "rpy_from_rotation",
    "skew",
    "transport_twist",
    "transport_wrench",
    "validate_rotation",
    "vector_from_rotation",
]
