from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError
from telecell.geometry import (
    Pose,
    oat_from_rotation,
    rotation_angle,
    rotation_from_oat,
    rotation_y,
    rotation_z,
)

# At these joint angles of a PUMA 560: the columns n, s, a of the hand's rotation, and its O, A, T; degrees.
GOLDEN = {
    "stretch (0, 0, 90, 0, 0, 0)": (
        [(0, 0, -1), (0, 1, 0), (1, 0, 0)],
        (90.0, 0.0, 0.0),
    ),
    "(30, -120, 60, 40, 50, -70)": (
        [
            (0.820241973256, -0.194464086934, 0.537946860016),
            (0.319916561905, 0.935560622646, -0.149598511937),
            (-0.474190361277, 0.294805088571, 0.829598373326),
        ],
        (-121.869298694287, -56.057503314234, -164.459196798776),
    ),
    "(-75, -160, 150, -20, -45, 100)": (
        [
            (0.996409715988, 0.019143113948, -0.082469503897),
            (-0.078191703077, 0.581572625224, -0.809727941447),
            (0.032461291632, 0.813269219126, 0.580981447008),
        ],
        (177.714276901204, -35.519602038122, -84.184568612468),
    ),
    "(100, -20, 40, 80, 60, -120)": (
        [
            (0.232759711070, 0.963799940959, 0.130048416792),
            (-0.382525307046, 0.213671755487, -0.898898642994),
            (-0.894146132560, 0.159480577860, 0.418412044417),
        ],
        (-100.112973447355, -24.734373743144, -98.232164665596),
    ),
    "(10, 20, -30, -50, -60, 70)": (
        [
            (0.671956676519, 0.598802668831, 0.435786173120),
            (-0.000310656282, 0.588658567034, -0.808381713642),
            (-0.740590391764, 0.543062109945, 0.395739076119),
        ],
        (-126.251950543965, -23.312076318783, -118.328425540267),
    ),
}

golden = pytest.mark.parametrize(("columns", "oat_deg"), GOLDEN.values(), ids=GOLDEN.keys())


# The table has twelve decimals; 1e-9 rad is far below any controller's display and far above its rounding.
@golden
def test_golden_rotations_have_the_golden_angles(columns, oat_deg):
    oat = oat_from_rotation(np.transpose(columns))
    np.testing.assert_allclose(oat, np.radians(oat_deg), rtol=0, atol=1e-9)


@golden
def test_golden_angles_give_the_golden_rotations(columns, oat_deg):
    rotation = rotation_from_oat(np.radians(oat_deg))
    np.testing.assert_allclose(rotation, np.transpose(columns), rtol=0, atol=1e-9)


def test_all_zero_points_the_hand_along_minus_y_with_its_y_axis_along_x():
    _, s, a = rotation_from_oat((0, 0, 0)).T
    np.testing.assert_allclose(a, (0, -1, 0), rtol=0, atol=1e-14)
    np.testing.assert_allclose(s, (1, 0, 0), rtol=0, atol=1e-14)


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
def test_angles_come_back_away_from_straight_up_and_down(o, a, t):
    np.testing.assert_allclose(oat_from_rotation(rotation_from_oat((o, a, t))), (o, a, t), rtol=0, atol=1e-13)


@given(st.from_type(Pose))
def test_every_rotation_comes_back(pose):
    rebuilt = rotation_from_oat(oat_from_rotation(pose.rotation))
    # Where T counts as undefined, up to 1e-10 of the rotation is given up for it.
    assert rotation_angle(rebuilt.T @ pose.rotation) < 5e-10


def test_ready_reads_90_minus_90_0():
    np.testing.assert_array_equal(np.degrees(oat_from_rotation(np.eye(3))), (90, -90, 0))


@pytest.mark.parametrize(("a_deg", "o_deg"), [(-90, 20 + 50), (90, 20 - 50)])
def test_t_is_zero_with_the_hand_straight_up_or_down(a_deg, o_deg):
    oat = oat_from_rotation(rotation_from_oat(np.radians((20, a_deg, 50))))
    assert oat[2] == 0.0
    np.testing.assert_allclose(oat[:2], np.radians((o_deg, a_deg)), rtol=0, atol=1e-14)


def test_val_angles_are_not_those_of_other_makers():
    o, a, t = 0.3, 0.4, 0.5
    zyz = rotation_z(o) @ rotation_y(a) @ rotation_z(t)
    np.testing.assert_allclose(rotation_from_oat((o + pi / 2, a - pi / 2, t)), zyz, rtol=0, atol=1e-14)


def test_angles_that_are_not_numbers_are_refused():
    with pytest.raises(InputError, match=r"O, A, T is not finite, got \[0.0, nan, 0.0\]"):
        rotation_from_oat((0, float("nan"), 0))
