from math import pi, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.geometry import (
    Pose,
    rotation_angle,
    rotation_from_rpy,
    rotation_x,
    rotation_y,
    rotation_z,
    rpy_from_rotation,
)


def test_roll_comes_first_and_yaw_last():
    roll, pitch, yaw = 0.1, 0.2, 0.3
    expected = rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll)
    np.testing.assert_array_equal(rotation_from_rpy((roll, pitch, yaw)), expected)


@pytest.mark.parametrize(
    ("rpy_deg", "columns"),
    [
        ((90, 0, 0), [(1, 0, 0), (0, 0, 1), (0, -1, 0)]),
        ((0, 90, 0), [(0, 0, -1), (0, 1, 0), (1, 0, 0)]),
        ((0, 0, 90), [(0, 1, 0), (-1, 0, 0), (0, 0, 1)]),
        ((90, 0, 90), [(0, 1, 0), (0, 0, 1), (1, 0, 0)]),
    ],
)
def test_square_angles_give_the_expected_axes(rpy_deg, columns):
    rotation = rotation_from_rpy(np.radians(rpy_deg))
    np.testing.assert_allclose(rotation, np.transpose(columns), rtol=0, atol=1e-14)


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
def test_angles_come_back_away_from_the_degenerate_pitch(roll, pitch, yaw):
    # The cosine of 1.5 rad, 0.07, is what the error of roll and yaw is divided by.
    rpy = rpy_from_rotation(rotation_from_rpy((roll, pitch, yaw)))
    np.testing.assert_allclose(rpy, (roll, pitch, yaw), rtol=0, atol=1e-13)


@given(st.from_type(Pose))
def test_every_rotation_comes_back(pose):
    rebuilt = rotation_from_rpy(rpy_from_rotation(pose.rotation))
    # Where the roll counts as undefined, up to 1e-10 of the rotation is given up for it.
    assert rotation_angle(rebuilt.T @ pose.rotation) < 5e-10


@pytest.mark.parametrize("off", [1e-9, 1e-7, 1e-5])
def test_rotations_near_the_degenerate_pitch_come_back_exactly(off):
    rotation = rotation_from_rpy((0.4, pi / 2 - off, -1.2))
    rebuilt = rotation_from_rpy(rpy_from_rotation(rotation))
    np.testing.assert_allclose(rebuilt, rotation, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("pitch_deg", "yaw_deg"), [(90, 30 - 10), (-90, 30 + 10)])
def test_roll_is_zero_at_the_degenerate_pitch(pitch_deg, yaw_deg):
    rotation = rotation_from_rpy(np.radians((10, pitch_deg, 30)))
    rpy = rpy_from_rotation(rotation)
    assert rpy[0] == 0.0
    np.testing.assert_allclose(rpy[1:], (radians(pitch_deg), radians(yaw_deg)), rtol=0, atol=1e-14)
