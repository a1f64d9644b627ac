"""Linear motion with parabolic blends: the scheme of 1985, and that segments added with overlap are its blends."""

import numpy as np
import pytest

from telecell.errors import InputError
from telecell.trajectories import ParabolicPlan, build, compute_blend, plan_parabolic

from .motions import NINE, PUMA, assert_motions_keep_limits, draw, draw_pairs

TAU = 0.08
TICKS = np.linspace(-TAU, TAU, 11)
GOLDEN = [8.4, 8.7, 8.96, 9.18, 9.36, 9.5, 9.6, 9.66, 9.68, 9.66, 9.6]
"""Around a knot at 10, from velocity 20 to -5, every 16 ms."""


def test_blend_around_a_knot():
    assert compute_blend(10.0, 20.0, -5.0, TAU, TICKS) == pytest.approx(GOLDEN, abs=1e-12)


def test_blend_misses_the_knot_by_a_quarter_of_tau():
    assert compute_blend(10.0, 20.0, -5.0, TAU, [0.0])[0] - 10.0 == pytest.approx((-5 - 20) * TAU / 4)


def test_two_segments_added_with_one_blend_of_overlap_are_the_blend():
    """From 0 to 10 at 20 per second, then to 5 at -5 per second: cruise times 0.5 s and 1 s, blends of 2 tau."""
    first = build(ParabolicPlan((0.0,), (10.0,), 2 * TAU, 0.5 + 2 * TAU))
    second = build(ParabolicPlan((10.0,), (5.0,), 2 * TAU, 1.0 + 2 * TAU))
    begin = first.duration_s - 2 * TAU
    times = begin + TAU + TICKS
    added = first.sample(times).position + second.sample(times - begin).position - second.start
    assert added[:, 0] == pytest.approx(GOLDEN, abs=1e-12)


def test_ten_thousand_motions_keep_the_limits():
    assert_motions_keep_limits(PUMA, (plan_parabolic(PUMA, *pair) for pair in draw_pairs(PUMA, 10_000, 1)))


def test_motions_of_nine_axes_keep_the_limits_with_any_allowed_blend():
    plans = []
    for start, goal in draw_pairs(NINE, 1000, 2):
        shortest = plan_parabolic(NINE, start, goal).blend_s
        plans.append(plan_parabolic(NINE, start, goal, blend_s=shortest * (1 + len(plans) % 5)))
    assert_motions_keep_limits(NINE, plans)


def test_the_quickest_motion_reaches_the_acceleration_limit_and_often_the_velocity_limit():
    trajectory = build(plan_parabolic(PUMA, PUMA.position[:, 0], PUMA.position[:, 1]))
    middle, early = trajectory.at(trajectory.duration_s / 2), trajectory.at(1e-3)
    assert (np.abs(middle.velocity) / PUMA.velocity).max() == pytest.approx(1.0)
    assert (np.abs(early.acceleration) / PUMA.acceleration).max() == pytest.approx(1.0)


def test_a_short_way_has_no_cruise():
    start = PUMA.position.mean(axis=1)
    plan = plan_parabolic(PUMA, start, start + 0.01)
    assert plan.duration_s == pytest.approx(2 * plan.blend_s)


def test_a_blend_that_is_too_short_names_axis_acceleration_limit_and_shortest_time():
    start = PUMA.position.mean(axis=1)
    goal = start.copy()
    goal[1] += 1.0
    with pytest.raises(InputError) as error:
        plan_parabolic(PUMA, start, goal, blend_s=0.1)
    assert error.value.where == "axis puma/shoulder (shoulder)"
    assert error.value.limit == "115.000 deg/s²"
    shortest = float(str(error.value.remedy).split()[3])
    assert plan_parabolic(PUMA, start, goal, blend_s=shortest).blend_s == shortest


@pytest.mark.parametrize("blend_s", [0.0, -1.0, 1e308, float("nan"), float("inf")])
def test_a_blend_that_is_no_time_is_refused(blend_s):
    with pytest.raises(InputError, match="blend time out of range"):
        plan_parabolic(PUMA, *draw(PUMA, 2, 3), blend_s=blend_s)


def test_no_way_takes_no_time():
    (start,) = draw(PUMA, 1, 4)
    assert build(plan_parabolic(PUMA, start, start, blend_s=0.2)).duration_s == 0.0
