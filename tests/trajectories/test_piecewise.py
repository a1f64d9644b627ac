"""Extremes of cubic pieces are exact: sampling never finds more, and comes near."""

import numpy as np
import pytest

from telecell.trajectories.piecewise import Piecewise, compute_smooth_velocities


def draw_pieces(seed: int) -> Piecewise:
    rng = np.random.default_rng(seed)
    count = rng.integers(2, 8)
    times = np.append(0.0, np.cumsum(rng.uniform(0.1, 1.0, count - 1)))
    return Piecewise(times, rng.normal(size=(count, 4)), rng.normal(size=(count, 4)))


@pytest.mark.parametrize("seed", range(50))
def test_extremes_are_those_of_a_dense_sampling(seed):
    pieces = draw_pieces(seed)
    # At 0.25 ms a round peak is missed by at most its second derivative, below 1e3, times 1e-8; corners are at knots.
    times = np.union1d(np.linspace(0.0, pieces.times[-1], 4000 * len(pieces.times)), pieces.times)
    position, velocity, acceleration = pieces.evaluate(times)
    lowest, highest = pieces.compute_extremes().T
    assert lowest == pytest.approx(position.min(axis=0), abs=1e-5)
    assert highest == pytest.approx(position.max(axis=0), abs=1e-5)
    assert pieces.compute_top_speeds() == pytest.approx(np.abs(velocity).max(axis=0), abs=1e-4)
    assert (pieces.compute_top_accelerations() >= np.abs(acceleration).max(axis=0) - 1e-9).all()
    assert pieces.compute_top_accelerations() == pytest.approx(np.abs(acceleration).max(axis=0), rel=1e-2)


def test_straight_pieces_and_parabolas_have_no_false_extremes():
    times = np.array([0.0, 1.0, 2.0])
    positions = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 4.0]])
    velocities = np.array([[1.0, 0.0], [1.0, 2.0], [1.0, 4.0]])
    pieces = Piecewise(times, positions, velocities)
    assert pieces.compute_extremes().tolist() == [[0.0, 2.0], [0.0, 4.0]]
    assert pieces.compute_top_speeds().tolist() == [1.0, 4.0]
    assert pieces.compute_top_accelerations().tolist() == [0.0, 2.0]


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_smooth_velocities_make_the_acceleration_continuous(count):
    rng = np.random.default_rng(count)
    times = np.append(0.0, np.cumsum(rng.uniform(0.1, 1.0, count - 1)))
    positions, first, last = rng.normal(size=(count, 3)), rng.normal(size=3), rng.normal(size=3)
    velocities = compute_smooth_velocities(times, positions, first, last)
    assert np.array_equal(velocities[0], first)
    assert np.array_equal(velocities[-1], last)
    pieces = Piecewise(times, positions, velocities)
    inner = times[1:-1]
    after = pieces.evaluate(inner)[2]
    before = pieces.evaluate(np.nextafter(inner, 0.0))[2]
    assert after == pytest.approx(before, abs=1e-9)


def test_a_cubic_is_reproduced():
    times = np.array([0.0, 0.3, 1.0, 1.4])
    positions = (times**3 - times)[:, None]
    slopes = (3 * times**2 - 1)[:, None]
    assert compute_smooth_velocities(times, positions, slopes[0], slopes[-1]) == pytest.approx(slopes)
