from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError
from telecell.geometry import (
    Pose,
    quaternion_from_rotation,
    rotation_from_quaternion,
    rotation_from_vector,
    rotation_x,
    rotation_y,
    rotation_z,
)

HALF = sqrt(0.5)


@pytest.mark.parametrize(
    ("rotation", "quaternion_wxyz"),
    [
        (np.eye(3), (1, 0, 0, 0)),
        (rotation_x(pi / 2), (HALF, HALF, 0, 0)),
        (rotation_y(pi / 2), (HALF, 0, HALF, 0)),
        (rotation_z(pi / 2), (HALF, 0, 0, HALF)),
        (rotation_z(-pi / 2), (HALF, 0, 0, -HALF)),
        (np.diag([1.0, -1.0, -1.0]), (0, 1, 0, 0)),
        (np.diag([-1.0, 1.0, -1.0]), (0, 0, 1, 0)),
        (np.diag([-1.0, -1.0, 1.0]), (0, 0, 0, 1)),
    ],
)
def test_square_turns_have_known_quaternions(rotation, quaternion_wxyz):
    np.testing.assert_allclose(quaternion_from_rotation(rotation), quaternion_wxyz, rtol=0, atol=1e-14)
    np.testing.assert_allclose(rotation_from_quaternion(quaternion_wxyz), rotation, rtol=0, atol=1e-14)


@given(st.from_type(Pose))
def test_every_rotation_has_one_unit_quaternion_with_positive_w_and_comes_back(pose):
    quaternion = quaternion_from_rotation(pose.rotation)
    assert quaternion[0] >= 0
    assert np.linalg.norm(quaternion) == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(rotation_from_quaternion(quaternion), pose.rotation, rtol=0, atol=1e-14)


@pytest.mark.parametrize("short_of_half_a_turn", [0.0, 1e-15, 1e-12, 1e-9, 1e-6])
@pytest.mark.parametrize("axis", [(0.6, -0.8, 0), (0, 0.6, -0.8), (-0.8, 0, 0.6), (0.48, 0.64, -0.6)])
def test_quaternion_is_exact_near_half_a_turn(axis, short_of_half_a_turn):
    angle = pi - short_of_half_a_turn
    rotation = rotation_from_vector(angle * np.array(axis))
    w, *xyz = quaternion_from_rotation(rotation)
    assert w == pytest.approx(np.cos(angle / 2), abs=1e-14)
    # At half a turn the rounding decides between the axis and its opposite.
    np.testing.assert_allclose(np.outer(xyz, xyz), np.outer(axis, axis), rtol=0, atol=1e-11)


def test_a_quaternion_of_three_digits_is_normalised():
    rotation = rotation_from_quaternion((0.707, 0, 0.707, 0))
    np.testing.assert_allclose(rotation, rotation_y(pi / 2), rtol=0, atol=1e-14)


def test_opposite_quaternions_are_the_same_rotation():
    quaternion = np.array([0.5, -0.5, 0.5, 0.5])
    np.testing.assert_array_equal(rotation_from_quaternion(quaternion), rotation_from_quaternion(-quaternion))


def test_a_quaternion_that_is_not_of_unit_length_is_refused():
    with pytest.raises(InputError) as caught:
        rotation_from_quaternion((0, 0, 0, 0))
    assert str(caught.value) == (
        "quaternion is not of unit length, got [0.0, 0.0, 0.0, 0.0], limit 1 +- 0.001, its length is 0. "
        "Divide it by its length; the order is w, x, y, z."
    )
