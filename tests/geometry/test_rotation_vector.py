from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from telecell.geometry import Pose, rotation_angle, rotation_from_vector, rotation_y, vector_from_rotation

AXIS = np.array([0.48, 0.64, -0.6])


def test_the_vector_is_axis_times_angle():
    np.testing.assert_allclose(rotation_from_vector((0, 0.3, 0)), rotation_y(0.3), rtol=0, atol=1e-14)
    np.testing.assert_allclose(vector_from_rotation(rotation_y(0.3)), (0, 0.3, 0), rtol=0, atol=1e-14)


def test_no_rotation_has_the_zero_vector():
    np.testing.assert_array_equal(rotation_from_vector((0, 0, 0)), np.eye(3))
    np.testing.assert_array_equal(vector_from_rotation(np.eye(3)), np.zeros(3))


# Components up to 1.8 keep the length below pi, where the logarithm is unique.
@given(hnp.arrays(np.float64, 3, elements=st.floats(-1.8, 1.8)))
def test_a_vector_shorter_than_half_a_turn_comes_back(vector):
    np.testing.assert_allclose(vector_from_rotation(rotation_from_vector(vector)), vector, rtol=0, atol=1e-14)


@given(st.from_type(Pose))
def test_every_rotation_comes_back_and_its_vector_is_the_shortest(pose):
    vector = vector_from_rotation(pose.rotation)
    assert np.linalg.norm(vector) <= pi + 1e-14
    np.testing.assert_allclose(rotation_from_vector(vector), pose.rotation, rtol=0, atol=1e-14)


@pytest.mark.parametrize("angle", [1e-300, 1e-15, 1e-9, 1e-4])
def test_small_vectors_keep_all_their_digits(angle):
    vector = vector_from_rotation(rotation_from_vector(angle * AXIS))
    np.testing.assert_allclose(vector, angle * AXIS, rtol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 1.0, pi - 1e-6, pi - 1e-12, pi])
def test_angle_is_accurate_from_zero_to_half_a_turn(angle):
    assert rotation_angle(rotation_from_vector(angle * AXIS)) == pytest.approx(angle, abs=1e-14)


def test_more_than_half_a_turn_is_less_the_other_way():
    np.testing.assert_allclose(vector_from_rotation(rotation_y(1.5 * pi)), (0, -pi / 2, 0), rtol=0, atol=1e-14)
