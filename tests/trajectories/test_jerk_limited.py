"""The default scheme: straight from rest, from any moving state, never beyond a limit that can be kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import JointOutOfRange
from telecell.trajectories import build, plan_jerk_limited

from .motions import NINE, PUMA, assert_derivatives_agree, assert_motions_keep_limits, draw, draw_pairs


def test_ten_thousand_motions_keep_the_limits():
    assert_motions_keep_limits(PUMA, (plan_jerk_limited(PUMA, *pair) for pair in draw_pairs(PUMA, 10_000, 1)))


def test_motions_of_nine_axes_keep_the_limits():
    assert_motions_keep_limits(NINE, (plan_jerk_limited(NINE, *pair) for pair in draw_pairs(NINE, 1000, 2)))


@pytest.mark.parametrize("synchronised", [True, False])
def test_three_thousand_changes_of_goal_in_mid_motion_keep_the_limits(synchronised):
    plans = []
    rng = np.random.default_rng(3)
    for (start, goal), other in zip(draw_pairs(PUMA, 3000, 4), draw(PUMA, 3000, 5), strict=True):
        moving = build(plan_jerk_limited(PUMA, start, goal))
        now = moving.at(rng.uniform(0, moving.duration_s))
        plans.append(
            plan_jerk_limited(
                PUMA,
                now.position,
                other,
                velocity=now.velocity,
                acceleration=now.acceleration,
                synchronised=synchronised,
            )
        )
    assert_motions_keep_limits(PUMA, plans)


def test_a_motion_where_two_kinds_of_profiles_meet_is_found():
    """2 a³ / j²: long enough to reach the acceleration, and not to hold it."""
    distances = 2.0 * NINE.acceleration**3 / NINE.jerk**2
    starts = NINE.position @ (0.9, 0.1)
    plans = []
    for axis, distance in enumerate(distances):
        for nudge in (0.0, 1e-17, -1e-17, 9e-18):
            goal = starts.copy()
            goal[axis] += distance + nudge
            plans.append(plan_jerk_limited(NINE, starts, goal))
    assert_motions_keep_limits(NINE, plans)


def test_motion_from_rest_is_straight():
    for start, goal in draw_pairs(NINE, 50, 6):
        trajectory = build(plan_jerk_limited(NINE, start, goal))
        way = goal - start
        parts = trajectory.sample(np.linspace(0, trajectory.duration_s, 50)).position - start
        along = parts @ way / (way @ way)
        assert np.abs(parts - along[:, None] * way).max() < 1e-9


def test_a_moving_start_is_continued_without_a_jump():
    start, goal, other = draw(PUMA, 3, 7)
    now = build(plan_jerk_limited(PUMA, start, goal)).at(0.4)
    plan = plan_jerk_limited(PUMA, now.position, other, velocity=now.velocity, acceleration=now.acceleration)
    begin = build(plan).at(0.0)
    for before, after in zip(now, begin, strict=True):
        assert np.array_equal(before, after)


def test_axes_on_their_own_arrive_no_later():
    start, goal = draw(PUMA, 2, 8)
    together = build(plan_jerk_limited(PUMA, start, goal))
    alone = build(plan_jerk_limited(PUMA, start, goal, synchronised=False))
    assert alone.duration_s <= together.duration_s + 1e-9
    half = alone.at(alone.duration_s * 0.9)
    assert (half.position == goal).any() or (np.abs(half.position - goal) < 1e-12).any()


def test_a_start_too_fast_to_stay_inside_names_the_axis_that_overshoots():
    start = PUMA.position.mean(axis=1)
    start[2] = PUMA.position[2, 1] - 0.01
    velocity = np.zeros(6)
    velocity[2] = 1.0
    with pytest.raises(JointOutOfRange, match=r"puma/elbow \(elbow\): too fast to stay inside.*Brake first"):
        plan_jerk_limited(PUMA, start, PUMA.position.mean(axis=1), velocity=velocity)


def test_a_speed_above_the_limit_is_braked():
    start = PUMA.position.mean(axis=1)
    slow = PUMA.scaled(0.1)
    trajectory = build(plan_jerk_limited(slow, start, start + 0.5, velocity=0.5 * PUMA.velocity))
    late = trajectory.sample(np.linspace(0.5 * trajectory.duration_s, trajectory.duration_s, 50))
    assert (np.abs(late.velocity) <= slow.velocity * (1 + 1e-9)).all()


def test_derivatives_agree():
    # Jerk is at most 80 rad/s³: over 10 us it changes the acceleration by 1e-3, at the corners by half of that.
    assert_derivatives_agree(plan_jerk_limited(PUMA, *draw(PUMA, 2, 9)), 1e-3)


@pytest.mark.parametrize("synchronised", [True, False])
@pytest.mark.parametrize("speed", [0.0, 0.1])
def test_a_motion_can_be_made_to_take_longer(synchronised, speed):
    start = PUMA.position.mean(axis=1)
    plan = plan_jerk_limited(
        PUMA,
        start,
        start + 0.1,
        velocity=np.full(6, speed),
        synchronised=synchronised,
        least_duration_s=3.0,
    )
    assert build(plan).duration_s == pytest.approx(3.0)
    assert_motions_keep_limits(PUMA, [plan])


def test_no_way_takes_no_time():
    (start,) = draw(PUMA, 1, 10)
    assert build(plan_jerk_limited(PUMA, start, start)).duration_s == 0.0


any_number = st.floats() | st.sampled_from([0.0, 1e308, -1e308, 1e-308])


@given(st.lists(any_number, min_size=6, max_size=6), st.lists(any_number, min_size=6, max_size=6))
def test_any_state_leads_on_or_is_refused(velocity, acceleration):
    start = PUMA.position.mean(axis=1)
    try:
        plan = plan_jerk_limited(PUMA, start, start, velocity=velocity, acceleration=acceleration)
    except JointOutOfRange:
        return
    assert np.isfinite(build(plan).at(0.1).position).all()
