"""Limits name the axis that breaks them, and always allow the way back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError, JointOutOfRange
from telecell.trajectories import MotionLimits

from .motions import NINE, PUMA, draw

HOME = np.zeros(6)
MIDDLE = PUMA.position.mean(axis=1)


def test_limits_are_those_of_the_axes():
    assert PUMA.names[0] == "puma/waist"
    assert PUMA.kinds == ("hinge",) * 6
    assert NINE.kinds[0] == "slide"
    assert PUMA.position.shape == (6, 2)
    assert not PUMA.velocity.flags.writeable


def test_speed_scales_the_velocity_alone():
    half = PUMA.scaled(0.5)
    assert half.velocity == pytest.approx(PUMA.velocity / 2)
    assert half.acceleration is PUMA.acceleration
    assert half.jerk is PUMA.jerk


@pytest.mark.parametrize("speed", [0.0, -1.0, 1.01, 1e-9, float("nan"), float("inf")])
def test_a_speed_that_is_no_part_of_full_speed_is_refused(speed):
    with pytest.raises(InputError, match="above 0, at most 1"):
        PUMA.scaled(speed)


def test_a_goal_outside_names_axis_value_and_limits_in_degrees():
    goal = HOME.copy()
    goal[0] = np.radians(170)
    with pytest.raises(JointOutOfRange) as error:
        PUMA.validate_goal(HOME, goal)
    assert error.value.where == "axis puma/waist (waist)"
    assert error.value.value == "170.000 deg"
    assert error.value.limit == "-158.000 deg to 158.000 deg"


def test_a_slide_is_named_in_metres():
    start = draw(NINE, 1, 0)[0]
    goal = start.copy()
    goal[0] = 5.0
    with pytest.raises(JointOutOfRange, match=r"5.0000 m.*-1.3720 m to 0.6100 m"):
        NINE.validate_goal(start, goal)


def test_a_rounded_goal_is_put_on_the_limit():
    goal = MIDDLE.copy()
    goal[2] = PUMA.position[2, 1] + 1e-8
    assert PUMA.validate_goal(MIDDLE, goal)[2] == PUMA.position[2, 1]


def test_a_start_outside_may_retreat_but_not_go_farther_out():
    upper = PUMA.position[0, 1]
    start, nearer, farther = MIDDLE.copy(), MIDDLE.copy(), MIDDLE.copy()
    start[0], nearer[0], farther[0] = upper + 0.2, upper + 0.1, upper + 0.3
    assert PUMA.validate_goal(start, nearer)[0] == nearer[0]
    assert PUMA.validate_goal(start, MIDDLE)[0] == MIDDLE[0]
    with pytest.raises(JointOutOfRange, match="waist"):
        PUMA.validate_goal(start, farther)
    other_side = MIDDLE.copy()
    other_side[0] = -upper - 0.1
    with pytest.raises(JointOutOfRange, match="waist"):
        PUMA.validate_goal(start, other_side)


@pytest.mark.parametrize("values", [[0.0] * 5, [0.0] * 7, [], "home", None, [[0.0] * 6], {"waist": 1.0}])
def test_a_wrong_count_lists_the_axes(values):
    with pytest.raises(JointOutOfRange, match=r"6 numbers.*puma/flange_rotation"):
        PUMA.validate_goal(HOME, values)


@given(st.integers(0, 5), st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e7]))
def test_a_number_that_no_robot_has_names_its_axis(axis, value):
    values = np.zeros(6)
    values[axis] = value
    for start, goal in ((values, HOME), (HOME, values)):
        with pytest.raises(JointOutOfRange) as error:
            PUMA.validate_goal(start, goal)
        assert PUMA.names[axis] in str(error.value)


def test_no_axes_have_empty_limits():
    assert MotionLimits.from_axes([]).position.shape == (0, 2)
