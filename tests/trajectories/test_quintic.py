"""The quintic rests at both ends and keeps every limit."""

import numpy as np
import pytest

from telecell.errors import InputError
from telecell.trajectories import QuinticPlan, build, plan_quintic

from .motions import NINE, PUMA, assert_derivatives_agree, assert_motions_keep_limits, draw, draw_pairs


def test_from_0_to_90_in_ten_steps():
    """Golden numbers of 10 u³ - 15 u⁴ + 6 u⁵, to the four digits that they are written with."""
    trajectory = build(QuinticPlan((0.0,), (90.0,), 1.0))
    expected = [0, 0.7704, 5.2128, 14.6772, 28.5696, 45, 61.4304, 75.3228, 84.7872, 89.2296, 90]
    assert trajectory.sample(np.linspace(0, 1, 11)).position[:, 0] == pytest.approx(expected, abs=5e-5)


def test_velocity_and_acceleration_are_zero_at_both_ends():
    start, goal = draw(PUMA, 2, 0)
    trajectory = build(plan_quintic(PUMA, start, goal))
    for t in (1e-9, trajectory.duration_s - 1e-9):
        assert np.abs(trajectory.at(t).velocity).max() < 1e-6
        assert np.abs(trajectory.at(t).acceleration).max() < 1e-6


def test_ten_thousand_motions_keep_the_limits():
    assert_motions_keep_limits(PUMA, (plan_quintic(PUMA, *pair) for pair in draw_pairs(PUMA, 10_000, 1)))


def test_motions_of_nine_axes_keep_the_limits():
    assert_motions_keep_limits(NINE, (plan_quintic(NINE, *pair) for pair in draw_pairs(NINE, 1000, 2)))


def test_jerk_stays_within_its_limit_and_one_limit_is_reached():
    for start, goal in draw_pairs(PUMA, 100, 3):
        plan = plan_quintic(PUMA, start, goal)
        way, duration = np.abs(np.subtract(plan.goal, plan.start)), plan.duration_s
        used = np.concatenate(
            [
                1.875 * way / duration / PUMA.velocity,
                10 / np.sqrt(3) * way / duration**2 / PUMA.acceleration,
                60 * way / duration**3 / PUMA.jerk,
            ]
        )
        assert used.max() == pytest.approx(1.0, abs=1e-9)


def test_derivatives_agree():
    # Central differences over 10 us: the fourth derivative and rounding leave about 1e-6.
    assert_derivatives_agree(plan_quintic(PUMA, *draw(PUMA, 2, 4)), 1e-5)


def test_no_way_takes_no_time():
    (start,) = draw(PUMA, 1, 5)
    trajectory = build(plan_quintic(PUMA, start, start))
    assert trajectory.duration_s == 0.0
    assert np.array_equal(trajectory.at(0.0).position, start)


def test_a_motion_that_hardly_ever_ends_is_refused():
    start, goal = draw(PUMA, 2, 6)
    far = start.copy()
    far[0] = 9e5
    with pytest.raises(InputError, match="hardly ever end"):
        plan_quintic(PUMA.scaled(1e-3), far, goal)
