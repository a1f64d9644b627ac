"""The time law keeps under its ceiling, changes no faster than its slope, and ends exactly."""

import numpy as np
import pytest

from telecell.trajectories.time_law import TimeLaw, compute_bounds

from .motions import PUMA

PLACES = np.linspace(0.0, 1.0, 401)
AVERAGE_S = 0.1


def make_law(ceiling, slope=1.0) -> TimeLaw:
    return TimeLaw(PLACES, ceiling * np.ones(401), np.full(401, slope), AVERAGE_S)


def test_an_even_ceiling_gives_a_trapezoid_with_round_corners():
    """Speed 0.5, acceleration 1: half a second up, 1.5 s cruise, half a second down, and the averaging time."""
    law = make_law(0.25)
    assert law.duration_s == pytest.approx(2.5 + AVERAGE_S, abs=1e-3)
    place, speed, acceleration = law.evaluate(np.linspace(0.0, law.duration_s, 2000))
    assert speed.max() <= 0.5 + 1e-9
    assert np.abs(acceleration).max() <= 1.0 + 1e-3
    assert place[[0, -1]] == pytest.approx([0.0, 1.0], abs=1e-12)
    assert speed[[0, -1]] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert acceleration[[0, -1]] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_acceleration_changes_no_faster_than_its_range_in_one_averaging_time():
    law = make_law(0.25)
    times = np.linspace(0.0, law.duration_s, 5000)
    change = np.diff(law.evaluate(times)[2]) / times[1]
    # A slow start on a grid of places is not quite an even acceleration: 5 % for it.
    assert np.abs(change).max() <= 1.05 / AVERAGE_S


def test_derivatives_agree():
    law = make_law(0.25)
    times = np.linspace(0.05, law.duration_s - 0.05, 300)
    h = 1e-5
    before, at, after = (law.evaluate(times + shift) for shift in (-h, 0.0, h))
    assert (after[0] - before[0]) / (2 * h) == pytest.approx(at[1], abs=1e-6)
    assert (after[1] - before[1]) / (2 * h) == pytest.approx(at[2], abs=1e-3)


def test_a_narrow_place_is_passed_slowly_and_nothing_else_suffers():
    ceiling = np.where(np.abs(PLACES - 0.5) < 0.05, 0.01, 0.25)
    law = make_law(ceiling)
    place, speed, _ = law.evaluate(np.linspace(0.0, law.duration_s, 4000))
    assert speed[np.abs(place - 0.5) < 0.03].max() < 0.11
    assert speed.max() > 0.45


def test_bounds_share_the_acceleration_between_bends_and_changes_of_speed():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(500, 6)), 10 * rng.normal(size=(500, 6))
    ceiling, slope = compute_bounds(PUMA, first, second, 1e3, 1e3)
    assert (np.abs(first) * np.sqrt(ceiling)[:, None] <= PUMA.velocity * (1 + 1e-9)).all()
    worst = np.abs(first) * slope[:, None] + np.abs(second) * ceiling[:, None]
    assert (worst <= PUMA.acceleration * (1 + 1e-9)).all()
    assert (slope > 0).all()


def test_the_tip_bounds_a_path_on_which_no_axis_moves():
    still = np.zeros((3, 6))
    ceiling, slope = compute_bounds(PUMA, still, still, 0.5, 2.0)
    assert ceiling == pytest.approx(np.full(3, 0.25))
    assert slope == pytest.approx(np.full(3, 2.0))
