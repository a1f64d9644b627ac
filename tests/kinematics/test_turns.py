from __future__ import annotations

from math import pi, tau

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.kinematics.turns import MOST_COMBINATIONS, Turns


def place(limits_deg, *row_deg, near=0.0):
    placed = Turns(np.radians(limits_deg)).place([np.radians(row_deg).tolist()], [near] * len(row_deg))
    ((turned, outside),) = placed
    return np.degrees(turned).tolist(), outside


def test_a_wide_axis_has_every_turn_inside_its_limits():
    assert place([(-266, 266)], 110) == ([[pytest.approx(110)], [pytest.approx(-250)]], ())
    assert place([(-266, 266)], 50) == ([[pytest.approx(50)]], ())


def test_two_wide_axes_have_every_combination():
    turned, _ = place([(-360, 360), (-90, 90), (-360, 360)], 100, 20, -100)
    found = {tuple(round(value) for value in row) for row in turned}
    assert found == {(100, 20, -100), (-260, 20, -100), (100, 20, 260), (-260, 20, 260)}
    assert len(turned) == 4


def test_an_angle_outside_is_brought_in_by_whole_turns():
    assert place([(180, 400)], -170) == ([[pytest.approx(190)]], ())
    assert place([(-725, -500)], 0) == ([[pytest.approx(-720)]], ())


def test_a_posture_outside_is_reported_once_in_the_turn_nearest_to_the_limits():
    assert place([(-110, 170), (-266, 266)], -151, 110) == ([[pytest.approx(209), pytest.approx(110)]], (0,))
    assert place([(-110, 170)], -120) == ([[pytest.approx(-120)]], (0,))


def test_rounding_at_a_limit_does_not_put_a_posture_outside():
    limits = np.array([(-1.0, 2.0)])
    for value, limit in ((-1.0 - 1e-12, -1.0), (2.0 + 1e-12, 2.0), (2.0 + 1e-12 - tau, 2.0)):
        assert Turns(limits).place([[value]], [0.0]) == [([[limit]], ())]


def test_both_ends_of_exactly_one_turn_are_listed():
    assert place([(-180, 180)], 180) == ([[pytest.approx(180)], [pytest.approx(-180)]], ())


def test_the_number_of_turns_is_bounded_and_keeps_the_nearest():
    limits = np.array([(-1000 * pi, 1000 * pi)] * 3)
    reference = [100.0, -7.0, 4000.0]
    ((turned, outside),) = Turns(limits).place([[0.1, 0.2, 0.3]], reference)
    assert 1 <= len(turned) <= MOST_COMBINATIONS
    nearest = turned[0]
    assert not outside
    assert abs(nearest[0] - 100) <= pi
    assert abs(nearest[1] + 7) <= pi
    assert 1000 * pi - tau < nearest[2] <= 1000 * pi


@given(
    st.lists(st.tuples(st.floats(-10, 10), st.floats(0.1, 15)), min_size=1, max_size=3),
    st.lists(st.floats(-20, 20), min_size=3, max_size=3),
)
def test_placed_values_mean_the_same_place_and_say_truly_whether_they_are_inside(ranges, angles):
    limits = np.array([(lower, lower + span) for lower, span in ranges])
    row = angles[: len(ranges)]
    ((turned, outside),) = Turns(limits).place([row.copy()], [0.0] * len(row))
    for placed in turned:
        for k, (value, angle, (lower, upper)) in enumerate(zip(placed, row, limits, strict=True)):
            assert abs((value - angle + pi) % tau - pi) < 1e-9
            assert (lower <= value <= upper) == (k not in outside)
