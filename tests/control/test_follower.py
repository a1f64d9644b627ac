"""The follower never jumps, never exceeds a limit, and can be put away and taken out again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.control import Follower
from telecell.models import load_cell

PERIOD = 0.004
AXES = load_cell("puma").axes
START = tuple(0.0 for _ in AXES)


def follow(follower: Follower, ticks: int) -> tuple[np.ndarray, np.ndarray]:
    rows = [follower.step() for _ in range(ticks)]
    return np.array([q for q, _ in rows]), np.array([v for _, v in rows])


def test_it_rests_until_told():
    follower = Follower(AXES, START, PERIOD)
    q, v = follow(follower, 10)
    assert not q.any()
    assert not v.any()
    assert not follower.moving.any()


def test_it_arrives_exactly_and_stops():
    follower = Follower(AXES, START, PERIOD)
    target = (0.5, -1.0, 1.0, 0.2, -0.3, 2.0)
    follower.set_target(target)
    q, v = follow(follower, 1500)
    assert q[-1] == pytest.approx(target, abs=1e-12)
    assert np.abs(v[-1]).max() < 1e-9
    assert not follower.moving.any()


def test_axes_arrive_each_in_their_own_time():
    follower = Follower(AXES, START, PERIOD)
    follower.set_target((0.01, 0.0, 0.0, 0.0, 0.0, 2.0))
    follow(follower, 100)
    assert follower.moving.tolist() == [False, False, False, False, False, True]


targets = st.tuples(*(st.floats(*axis.software_limits) for axis in AXES))


@given(st.lists(st.tuples(targets, st.integers(1, 200)), min_size=1, max_size=6))
def test_limits_hold_however_often_the_target_changes(changes):
    follower = Follower(AXES, START, PERIOD)
    positions, velocities = [], []
    for target, ticks in changes:
        follower.set_target(target)
        q, v = follow(follower, ticks)
        positions.append(q)
        velocities.append(v)
    q, v = np.vstack([[START], *positions]), np.vstack([[START], *velocities])
    speed = np.array([axis.max_velocity for axis in AXES])
    acceleration = np.array([axis.max_acceleration for axis in AXES])
    low, high = np.array([axis.software_limits for axis in AXES]).T
    # One part in a million for rounding inside ruckig; a jump would exceed the speed by orders of magnitude.
    assert (np.abs(v) <= speed * (1 + 1e-6)).all()
    assert (np.abs(np.diff(q, axis=0)) <= speed * PERIOD * (1 + 1e-6)).all()
    assert (np.abs(np.diff(v, axis=0)) <= acceleration * PERIOD * (1 + 1e-6)).all()
    assert (q >= low - 1e-9).all()
    assert (q <= high + 1e-9).all()


def test_a_restored_follower_goes_on_bit_for_bit():
    follower = Follower(AXES, START, PERIOD)
    follower.set_target((0.5, -1.0, 1.0, 0.2, -0.3, 2.0))
    follow(follower, 33)
    follower.set_target((-0.5, -0.2, 0.4, 0.2, -0.3, -2.0))
    follow(follower, 17)
    saved = follower.save()
    expected = follow(follower, 200)
    other = Follower(AXES, START, PERIOD)
    other.restore(saved)
    assert np.array_equal(follow(other, 200), expected)


def test_a_cell_without_axes_has_nothing_to_follow():
    follower = Follower((), (), PERIOD)
    follower.set_target(())
    q, v = follower.step()
    assert q.shape == v.shape == (0,)
    assert not follower.moving.any()
