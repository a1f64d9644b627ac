"""Splines pass their points, keep the limits strictly, and refuse to leave them in between."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError, JointOutOfRange, TelecellError, UnknownName
from telecell.trajectories import SplinePlan, build, plan_spline
from telecell.trajectories.cubic_spline import ViaVelocity
from telecell.trajectories.piecewise import Piecewise

from .motions import NINE, PUMA, assert_derivatives_agree, assert_motions_keep_limits, draw

MIDDLE = PUMA.position.mean(axis=1)
ONE = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def draw_plans(limits, count, seed, via: ViaVelocity):
    """Through three random points of the inner half of the limits; those that overshoot are left out."""
    middle = limits.position.mean(axis=1)
    points = (middle + 0.5 * (draw(limits, 4 * count, seed) - middle)).reshape(count, 4, -1)
    rng = np.random.default_rng(seed)
    for start, *others in points:
        velocities = rng.uniform(-1, 1, (2, len(limits))) * limits.velocity if via == "given" else None
        try:
            yield plan_spline(limits, start, others, via=via, velocities=velocities)
        except JointOutOfRange:
            continue


@pytest.mark.parametrize(("via", "most_left_out"), [("smooth", 0.05), ("average", 0.0), ("given", 0.15)])
def test_ten_thousand_splines_keep_the_limits(via, most_left_out):
    """Ten thousand in all: the three choices of via velocities share them."""
    plans = list(draw_plans(PUMA, 3400, 1, via))
    assert len(plans) >= 3400 * (1 - most_left_out)
    assert_motions_keep_limits(PUMA, plans)


def test_splines_of_nine_axes_keep_the_limits():
    assert_motions_keep_limits(NINE, draw_plans(NINE, 300, 2, "smooth"))


@pytest.mark.parametrize("via", ["smooth", "average"])
def test_the_limits_hold_strictly_and_one_is_reached(via):
    for plan in draw_plans(PUMA, 100, 3, via):
        pieces = Piecewise(np.array(plan.times_s), np.array(plan.positions), np.array(plan.velocities))
        speed = (pieces.compute_top_speeds() / PUMA.velocity).max()
        acceleration = (pieces.compute_top_accelerations() / PUMA.acceleration).max()
        assert max(speed, acceleration) <= 1.0
        assert max(speed, acceleration) > 1.0 - 1e-6


def test_all_points_are_passed():
    start, *points = MIDDLE + 0.3 * (draw(PUMA, 5, 4) - MIDDLE)
    plan = plan_spline(PUMA, start, points)
    assert build(plan).sample(plan.times_s).position == pytest.approx(np.array([start, *points]), abs=1e-12)


def test_smooth_means_continuous_acceleration():
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE + 0.3, MIDDLE + 0.1, MIDDLE + 0.5])
    trajectory = build(plan)
    for t in plan.times_s[1:-1]:
        before, after = trajectory.at(t - 1e-9).acceleration, trajectory.at(t + 1e-9).acceleration
        assert before == pytest.approx(after, abs=1e-6)


def test_average_is_the_mean_slope_and_zero_where_an_axis_turns_round():
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1, MIDDLE + 0.3, MIDDLE + 0.3 - 0.2 * ONE], via="average")
    times, positions = np.array(plan.times_s), np.array(plan.positions)
    slopes = np.diff(positions, axis=0) / np.diff(times)[:, None]
    assert plan.velocities[1] == pytest.approx((slopes[0] + slopes[1]) / 2)
    assert plan.velocities[2] == pytest.approx(np.zeros(6))


def test_given_velocities_are_kept_where_the_limits_allow():
    velocity = np.full(6, 0.05)
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1, MIDDLE + 0.3], via="given", velocities=[velocity])
    assert plan.velocities[1] == pytest.approx(velocity)


def test_given_velocities_that_are_too_high_are_lowered():
    velocity = 2.0 * PUMA.velocity
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1, MIDDLE + 0.3], via="given", velocities=[velocity])
    assert (np.abs(plan.velocities[1]) <= PUMA.velocity).all()


def test_an_overshoot_between_the_points_names_axis_value_and_limit():
    top = PUMA.position[0, 1]
    there = MIDDLE.copy()
    there[0] = top
    with pytest.raises(JointOutOfRange, match="between its points") as error:
        plan_spline(PUMA, MIDDLE, [there, there + 0.3 * np.roll(ONE, 4), MIDDLE])
    assert error.value.where == "axis puma/waist (waist)"
    assert "via='average'" in str(error.value.remedy)
    plan_spline(PUMA, MIDDLE, [there, there + 0.3 * np.roll(ONE, 4), MIDDLE], via="average")


def test_one_point_is_a_motion_from_rest_to_rest():
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE + 0.2])
    assert len(plan.times_s) == 2
    assert_derivatives_agree(plan, 1e-4)


def test_a_repeated_point_is_left_out():
    assert plan_spline(PUMA, MIDDLE, [MIDDLE, MIDDLE + 0.1, MIDDLE + 0.1]) == plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1])


def test_no_way_takes_no_time():
    plan = plan_spline(PUMA, MIDDLE, [MIDDLE])
    assert plan == SplinePlan((0.0,), (tuple(MIDDLE),), ((0.0,) * 6,))
    assert build(plan).duration_s == 0.0


def test_wrong_requests_say_what_is_wrong():
    with pytest.raises(UnknownName, match="smooth"):
        plan_spline(PUMA, MIDDLE, [MIDDLE], via="smoth")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="at least the goal"):
        plan_spline(PUMA, MIDDLE, [])
    with pytest.raises(InputError, match="give one row for each point but the last"):
        plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1, MIDDLE], via="given", velocities=[])
    with pytest.raises(InputError, match="via='given'"):
        plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1], velocities=[MIDDLE])
    with pytest.raises(InputError, match="via='given'"):
        plan_spline(PUMA, MIDDLE, [MIDDLE + 0.1, MIDDLE], via="given")


number = st.floats(-1.0, 1.0) | st.sampled_from([np.nan, np.inf, 1e308, 1e-300, -1e-12])
points = st.lists(st.lists(number, min_size=6, max_size=6) | st.lists(number, max_size=3), max_size=4)


@given(points, points, st.sampled_from(["smooth", "average", "given"]))
def test_any_points_are_planned_or_refused(through, velocities, via):
    try:
        plan = plan_spline(PUMA, MIDDLE, through, via=via, velocities=velocities if via == "given" else None)
    except TelecellError:
        return
    trajectory = build(plan)
    assert np.isfinite(trajectory.sample(np.linspace(0, trajectory.duration_s, 20)).acceleration).all()
