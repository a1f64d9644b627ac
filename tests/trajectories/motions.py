"""Robots and checks that the tests of all schemes share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from telecell.geometry import FloatArray
from telecell.models import Robot, load_cell
from telecell.trajectories import AnyPlan, MotionLimits, Sample, build

PERIOD_S = 0.004
ROUNDING = 1e-9
"""Relative excess of a limit that counts as rounding: cancellation in polynomials, far below an encoder count."""

PUMA_ROBOT = load_cell("puma").robots[0]
NINE_ROBOT: Robot = load_cell("cirsse").get_robot("FL")
PUMA = MotionLimits.from_axes(PUMA_ROBOT.axes)
NINE = MotionLimits.from_axes(NINE_ROBOT.axes)


def draw(limits: MotionLimits, count: int, seed: int) -> FloatArray:
    """Random postures inside the limits."""
    lower, upper = limits.position.T
    return np.random.default_rng(seed).uniform(lower, upper, (count, len(limits)))


def draw_pairs(limits: MotionLimits, count: int, seed: int) -> Iterable[tuple[FloatArray, FloatArray]]:
    """Random starts and goals; every third goal is near its start, down to a billionth of the way."""
    starts, goals = draw(limits, count, seed), draw(limits, count, seed + 1)
    shares = 10.0 ** np.random.default_rng(seed + 2).uniform(-9, 0, count)
    shares[np.arange(count) % 3 != 0] = 1.0
    return zip(starts, starts + shares[:, None] * (goals - starts), strict=True)


def sample_ticks(plan: AnyPlan, rng: np.random.Generator, count: int = 12) -> tuple[Sample, Sample]:
    """The states of a plan at random ticks, and at the ticks after them."""
    trajectory = build(plan)
    ticks = rng.integers(-1, int(trajectory.duration_s / PERIOD_S) + 2, count)
    both = trajectory.sample(np.concatenate([ticks, ticks + 1]) * PERIOD_S)
    return Sample(*(values[:count] for values in both)), Sample(*(values[count:] for values in both))


def assert_motions_keep_limits(limits: MotionLimits, plans: Iterable[AnyPlan], *, rounding: float = ROUNDING) -> None:
    """No position, velocity or acceleration beyond its limit, and no jump from one tick to the next."""
    rng = np.random.default_rng(99)
    pairs = [sample_ticks(plan, rng) for plan in plans]
    now = Sample(*(np.concatenate(values) for values in zip(*(pair[0] for pair in pairs), strict=True)))
    then = Sample(*(np.concatenate(values) for values in zip(*(pair[1] for pair in pairs), strict=True)))
    more = 1.0 + rounding
    for sample in (now, then):
        assert (sample.position >= limits.position[:, 0] - rounding).all()
        assert (sample.position <= limits.position[:, 1] + rounding).all()
        assert (np.abs(sample.velocity) <= limits.velocity * more).all()
        assert (np.abs(sample.acceleration) <= limits.acceleration * more).all()
    step, change = then.position - now.position, then.velocity - now.velocity
    assert (np.abs(step) <= limits.velocity * PERIOD_S * more + rounding).all()
    assert (np.abs(change) <= limits.acceleration * PERIOD_S * more + rounding).all()


def assert_derivatives_agree(plan: AnyPlan, tolerance: float) -> None:
    """Velocity and acceleration are the derivatives of the position, by central differences away from corners."""
    trajectory = build(plan)
    h = 1e-5
    times = np.linspace(0.01, 0.99, 97) * trajectory.duration_s
    before, at, after = (trajectory.sample(times + shift) for shift in (-h, 0.0, h))
    assert np.abs((after.position - before.position) / (2 * h) - at.velocity).max() < tolerance
    assert np.abs((after.velocity - before.velocity) / (2 * h) - at.acceleration).max() < tolerance
