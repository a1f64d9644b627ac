from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from telecell.geometry import Pose, adjoint, rotation_z, skew, transport_twist, transport_wrench

poses = st.from_type(Pose)
sixes = hnp.arrays(np.float64, 6, elements=st.floats(-100, 100))

# Lever arms up to 10 m and numbers up to 100: products up to a few 1e4 carry rounding errors of about 1e-11.
CLOSE = {"rtol": 0, "atol": 1e-9}


def test_skew_is_the_cross_product():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([-2.0, 0.5, 4.0])
    np.testing.assert_array_equal(skew(a) @ b, np.cross(a, b))


def test_a_turning_body_moves_a_point_off_its_axis():
    # Turning at 2 rad/s about z of a; b's origin is 0.5 m out along a's x, so it moves along y.
    pose_a_in_b = Pose.translation(-0.5, 0, 0)
    np.testing.assert_allclose(transport_twist(pose_a_in_b, np.array([0, 0, 0, 0, 0, 2.0])), (0, 1, 0, 0, 0, 2))


def test_a_force_off_the_origin_has_a_torque():
    # 10 N along z, 0.5 m out along b's x: 5 N·m about -y.
    pose_a_in_b = Pose.translation(0.5, 0, 0)
    wrench = transport_wrench(pose_a_in_b, np.array([0, 0, 10.0, 0, 0, 0]))
    np.testing.assert_allclose(wrench, (0, 0, 10, 0, -5, 0))


def test_turned_axes_turn_both_halves():
    pose_a_in_b = Pose(rotation_z(pi / 2), np.zeros(3))
    six = np.array([1.0, 0, 0, 0, 1.0, 0])
    for transport in (transport_twist, transport_wrench):
        np.testing.assert_allclose(transport(pose_a_in_b, six), (0, 1, 0, -1, 0, 0), rtol=0, atol=1e-14)


@given(poses, sixes, sixes)
def test_power_is_the_same_in_every_frame(pose_a_in_b, twist, wrench):
    power_in_b = transport_twist(pose_a_in_b, twist) @ transport_wrench(pose_a_in_b, wrench)
    # Up to 6 products of 1e3 and 1e3 cancel to the power.
    assert power_in_b == pytest.approx(twist @ wrench, abs=1e-7)


@given(poses, poses, sixes)
def test_transport_over_two_frames_is_transport_over_both_in_turn(T_cb, T_ba, six):
    for transport in (transport_twist, transport_wrench):
        np.testing.assert_allclose(transport(T_cb @ T_ba, six), transport(T_cb, transport(T_ba, six)), **CLOSE)


@given(poses, sixes)
def test_transport_there_and_back_changes_nothing(pose, six):
    for transport in (transport_twist, transport_wrench):
        np.testing.assert_allclose(transport(pose.inverse(), transport(pose, six)), six, **CLOSE)


@given(poses, sixes)
def test_wrench_transport_is_force_and_torque_with_lever_arm(pose, wrench):
    force, torque = pose.rotation @ wrench[:3], pose.rotation @ wrench[3:]
    expected = np.concatenate([force, torque + np.cross(pose.position, force)])
    np.testing.assert_allclose(transport_wrench(pose, wrench), expected, **CLOSE)


@given(poses, hnp.arrays(np.float64, (6, 3), elements=st.floats(-100, 100)))
def test_a_jacobian_is_transported_column_by_column(pose, jacobian):
    columns = [transport_twist(pose, column) for column in jacobian.T]
    np.testing.assert_allclose(transport_twist(pose, jacobian), np.transpose(columns), **CLOSE)


@given(poses)
def test_adjoint_of_the_inverse_is_the_inverse_of_the_adjoint(pose):
    np.testing.assert_allclose(adjoint(pose.inverse()) @ adjoint(pose), np.eye(6), rtol=0, atol=1e-12)
