"""A brake stops every axis from any state, as fast as it may, wherever it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import JointOutOfRange
from telecell.trajectories import build, plan_brake

from .motions import NINE, PERIOD_S, PUMA, draw


def draw_states(limits, count, seed, factor):
    rng = np.random.default_rng(seed)
    for position in draw(limits, count, seed):
        yield (
            position * factor,
            rng.uniform(-factor, factor, len(limits)) * limits.velocity,
            rng.uniform(-factor, factor, len(limits)) * limits.acceleration,
        )


@pytest.mark.parametrize(("limits", "factor", "count"), [(PUMA, 1.0, 10_000), (PUMA, 3.0, 3000), (NINE, 1.0, 1000)])
def test_every_state_comes_to_rest_within_acceleration(limits, factor, count):
    rows = []
    for state in draw_states(limits, count, 1, factor):
        trajectory = build(plan_brake(limits, *state))
        times = np.array([0.0, PERIOD_S, 0.3 * trajectory.duration_s, 0.3 * trajectory.duration_s + PERIOD_S])
        rows.append(np.array(trajectory.sample(times)))
        assert trajectory.at(trajectory.duration_s).position is trajectory.goal
    samples = np.array(rows)
    velocity, acceleration = samples[:, 1], samples[:, 2]
    assert (np.abs(acceleration) <= limits.acceleration * (1 + 1e-9)).all()
    for first, second in ((0, 1), (2, 3)):
        change = np.abs(velocity[:, second] - velocity[:, first])
        assert (change <= limits.acceleration * PERIOD_S * (1 + 1e-9)).all()


def test_a_brake_takes_the_time_of_its_limits():
    """From velocity v at rest of acceleration: v / a and one rise of the acceleration, a / j."""
    start = PUMA.position.mean(axis=1)
    trajectory = build(plan_brake(PUMA, start, PUMA.velocity, np.zeros(6)))
    needed = PUMA.velocity / PUMA.acceleration + PUMA.acceleration / PUMA.jerk
    assert trajectory.duration_s == pytest.approx(needed.max())
    assert trajectory.goal == pytest.approx(start + PUMA.velocity * needed / 2)


def test_each_axis_stops_by_itself():
    start = PUMA.position.mean(axis=1)
    velocity = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.01])
    trajectory = build(plan_brake(PUMA, start, velocity, np.zeros(6)))
    late = trajectory.at(0.5 * trajectory.duration_s)
    assert late.velocity[0] > 0.1
    assert late.velocity[5] == pytest.approx(0.0, abs=1e-12)
    assert trajectory.goal[1:5] == pytest.approx(start[1:5])


def test_rest_needs_no_brake():
    (start,) = draw(PUMA, 1, 2)
    assert build(plan_brake(PUMA, start, np.zeros(6), np.zeros(6))).duration_s == 0.0


any_number = st.floats() | st.sampled_from([0.0, 1e308, 1e6, -1e6, 1e-308])
six = st.lists(any_number, min_size=5, max_size=7)


@given(six, six, six)
def test_any_numbers_are_braked_or_refused(start, velocity, acceleration):
    try:
        plan = plan_brake(PUMA, start, velocity, acceleration)
    except JointOutOfRange:
        return
    trajectory = build(plan)
    assert np.isfinite(trajectory.duration_s)
    assert np.isfinite(trajectory.goal).all()
