"""When to be where on a path: as fast as the axes and the tip allow, with continuous acceleration.

In the plane of place s and squared speed x = (ds/dt)² the limits of velocity are a ceiling and those of acceleration
a slope, dx/ds = 2 d²s/dt². One pass forward and one backward under the ceiling give the fastest law (Bobrow, Dubowsky
and Gibson 1985, simplified). Its acceleration jumps, so the law is averaged over a short time.
"""

from __future__ import annotations

import numpy as np

from telecell.geometry import FloatArray
from telecell.trajectories.limits import MotionLimits

_SPLIT = 0.5
"""Part of an axis' acceleration that the bends of the path may use; the rest is left for the speed to change."""


class TimeLaw:
    """The place on a path as a function of time, from rest at its beginning to rest at its end.

    Attributes:
        times: (m,) at which the law, before it is averaged, reaches the places.
        duration_s: of the averaged law.
    """

    def __init__(self, places: FloatArray, ceiling: FloatArray, slope: FloatArray, averaging_s: float):
        """Find the fastest law.

        Args:
            places: (m,) growing from 0.
            ceiling: (m,) largest (ds/dt)² at each place.
            slope: (m,) largest |d²s/dt²| at each place.
            averaging_s: time over which the law is averaged.
        """
        steps = np.diff(places)
        rates = np.sqrt(_pass_under(ceiling, 2.0 * np.minimum(slope[:-1], slope[1:]) * steps))
        spans = 2.0 * steps / (rates[:-1] + rates[1:])
        changes = np.append(np.diff(rates) / spans, 0.0)
        areas = spans * (places[:-1] + spans * (rates[:-1] / 2.0 + spans * changes[:-1] / 6.0))
        self._pieces = np.stack([np.append(0.0, np.cumsum(areas)), places, rates, changes])
        self._averaging_s = averaging_s
        self.times = np.append(0.0, np.cumsum(spans))
        self.duration_s = float(self.times[-1]) + averaging_s

    def evaluate(self, times: FloatArray) -> FloatArray:
        """(3, k) place, speed and acceleration on the path at k times.

        The average of a function over a time is the difference of its integral, divided by that time.
        """
        return (self._integrate(times) - self._integrate(times - self._averaging_s)) / self._averaging_s

    def _integrate(self, times: FloatArray) -> FloatArray:
        """Integral of the place, place, and speed, before averaging; at rest before and after."""
        late = np.maximum(times, 0.0)
        piece = np.searchsorted(self.times, late, side="right") - 1
        t = late - self.times[piece]
        area, place, rate, change = self._pieces[:, piece]
        return np.stack(
            [
                area + t * (place + t * (rate / 2.0 + t * change / 6.0)),
                place + t * (rate + t * change / 2.0),
                rate + t * change,
            ]
        )


def compute_bounds(
    limits: MotionLimits, first: FloatArray, second: FloatArray, top_rate: float, top_change: float
) -> tuple[FloatArray, FloatArray]:
    """Ceiling and slope of a time law.

    Args:
        limits: of the axes.
        first: (m, n) derivative of the axes by the place, at m places.
        second: (m, n) second derivative.
        top_rate: largest ds/dt that the tip allows.
        top_change: largest |d²s/dt²| that the tip allows.
    """
    first, second = np.abs(first), np.abs(second)
    slowness = np.maximum((first / limits.velocity).max(axis=1), 1.0 / top_rate)
    bend = (second / limits.acceleration).max(axis=1)
    ceiling = 1.0 / np.maximum(slowness**2, bend / _SPLIT)
    left = limits.acceleration - second * ceiling[:, None]
    return ceiling, 1.0 / np.maximum((first / left).max(axis=1), 1.0 / top_change)


def _pass_under(ceiling: FloatArray, rises: FloatArray) -> list[float]:
    """The highest squared speeds under a ceiling, 0 at both ends, that rise and fall no faster than allowed."""
    heights, steps = ceiling.tolist(), rises.tolist()
    heights[0] = heights[-1] = 0.0
    for k, rise in enumerate(steps):
        heights[k + 1] = min(heights[k + 1], heights[k] + rise)
    for k in range(len(steps) - 1, -1, -1):
        heights[k] = min(heights[k], heights[k + 1] + steps[k])
    return heights
