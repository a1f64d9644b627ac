"""From a path of the axes to a motion along it that keeps every limit."""

from __future__ import annotations

from math import ceil

import numpy as np

from telecell.geometry import FloatArray
from telecell.trajectories.limits import MotionLimits
from telecell.trajectories.piecewise import Piecewise
from telecell.trajectories.time_law import TimeLaw, compute_bounds
from telecell.trajectories.trajectory import validate_duration

_SHORTEST_AVERAGE_S, _LONGEST_AVERAGE_S = 0.02, 0.2
_KNOTS_PER_AVERAGE = 4
_MOST_KNOTS = 2000
_PLACES_PER_KNOT = 8
_MOST_ROUNDS = 4
_SMALL_EXCESS = 1.01
"""Share of a limit up to which the whole motion is slowed down, rather than the place where the limit is exceeded."""


def time_path(
    limits: MotionLimits, path: Piecewise, top_rate: float, top_change: float
) -> tuple[FloatArray, FloatArray]:
    """Evenly spaced times (k + 1,) and the positions (k + 1, n) of the axes at them.

    The averaging of the time law may exceed a limit where it changes quickly along the path; there the motion is
    slowed down and tried again. What is left of an excess is the caller's to remove.

    Args:
        limits: of the axes.
        path: as a function of the place.
        top_rate: largest speed along the path, places per second.
        top_change: largest acceleration along the path.

    Raises:
        InputError: the motion would hardly ever end.
    """
    places = _subdivide(path.times)
    _, first, second = path.evaluate(places)
    ceiling, slope = compute_bounds(limits, first, second, top_rate, top_change)
    average_s = float(np.clip((limits.acceleration / limits.jerk).max(), _SHORTEST_AVERAGE_S, _LONGEST_AVERAGE_S))
    duration_s = validate_duration(TimeLaw(places, ceiling, slope, average_s).duration_s)
    average_s = max(average_s, duration_s * _KNOTS_PER_AVERAGE / _MOST_KNOTS)
    times, positions = np.zeros(0), np.zeros(0)
    for _ in range(_MOST_ROUNDS):
        law = TimeLaw(places, ceiling, slope, average_s)
        times = np.linspace(0.0, law.duration_s, 1 + ceil(law.duration_s / average_s * _KNOTS_PER_AVERAGE))
        place, rate, change = law.evaluate(times)
        positions, first, second = path.evaluate(place)
        excess = _compute_excess(limits, first, second, rate, change)
        if excess.max() <= _SMALL_EXCESS:
            break
        ease = 1.0 / np.maximum(1.0, _spread(excess, law.times, times[1]))
        ceiling, slope = ceiling * ease, slope * ease
    return times, positions


def _subdivide(knots: FloatArray) -> FloatArray:
    shares = np.arange(_PLACES_PER_KNOT) / _PLACES_PER_KNOT
    inner = knots[:-1, None] + np.diff(knots)[:, None] * shares
    return np.append(inner.ravel(), knots[-1])


def _compute_excess(
    limits: MotionLimits, first: FloatArray, second: FloatArray, rate: FloatArray, change: FloatArray
) -> FloatArray:
    """By which factor the squared speed is too high at each time, at most 1 inside the limits."""
    speed = np.abs(first) * np.abs(rate)[:, None]
    acceleration = np.abs(first * change[:, None] + second * rate[:, None] ** 2)
    return np.maximum((speed / limits.velocity).max(axis=1) ** 2, (acceleration / limits.acceleration).max(axis=1))


def _spread(excess: FloatArray, times: FloatArray, period_s: float) -> FloatArray:
    """The largest excess during one averaging time after each of the times."""
    width = _KNOTS_PER_AVERAGE + 2
    padded = np.concatenate([excess, np.zeros(width)])
    largest = np.lib.stride_tricks.sliding_window_view(padded, width).max(axis=1)
    return largest[(times / period_s).astype(int)]
