from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError
from telecell.geometry import Pose, rotation_x, rotation_y, rotation_z, validate_rotation


@pytest.mark.parametrize(
    ("rotation", "axis", "next_axis"), [(rotation_x, 0, 1), (rotation_y, 1, 2), (rotation_z, 2, 0)]
)
def test_elementary_rotations_turn_right_handed_about_their_axis(rotation, axis, next_axis):
    x_y_z = np.eye(3)
    turned = rotation(0.3) @ x_y_z[next_axis]
    np.testing.assert_array_equal(rotation(0.3) @ x_y_z[axis], x_y_z[axis])
    np.testing.assert_array_equal(turned, cos(0.3) * x_y_z[next_axis] + sin(0.3) * x_y_z[3 - axis - next_axis])


@given(st.sampled_from([rotation_x, rotation_y, rotation_z]), st.floats(-pi, pi), st.floats(-pi, pi))
def test_turns_about_one_axis_add_up(rotation, first, second):
    np.testing.assert_allclose(rotation(first) @ rotation(second), rotation(first + second), rtol=0, atol=1e-14)


@given(st.from_type(Pose))
def test_a_rounded_rotation_is_brought_back_to_orthonormal(pose):
    rounded = np.round(pose.rotation, 7)
    cleaned = validate_rotation(rounded)
    # Rounding leaves an error of about 1e-7, one Newton step its square.
    np.testing.assert_allclose(cleaned.T @ cleaned, np.eye(3), rtol=0, atol=1e-12)
    np.testing.assert_allclose(cleaned, pose.rotation, rtol=0, atol=2e-7)


def test_a_rotation_of_three_digits_is_refused():
    with pytest.raises(InputError, match="rotation matrix is not orthonormal"):
        validate_rotation(np.round(rotation_z(0.3), 3))
