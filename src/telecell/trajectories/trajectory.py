"""What every scheme offers: a motion of all axes as a function of time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError
from telecell.geometry import FloatArray

SHORTEST_S, LONGEST_S = 1e-6, 1e6
"""Bounds of a motion that is not nothing, and the lower one also of a piece of it: quotients by it stay finite."""


class Sample(NamedTuple):
    """Position, velocity and acceleration of the axes: (n,) at one time, (k, n) at k times. Not to be changed."""

    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray


class Trajectory(ABC):
    """One motion of n axes that ends at rest.

    Attributes:
        plan: the plain values from which the same trajectory can be built again, bit for bit.
        duration_s: how long it takes; 0 for no motion.
        start: (n,) where it begins.
        goal: (n,) where it ends.
    """

    def __init__(self, plan: msgspec.Struct, duration_s: float, first: Sample, goal: FloatArray):
        self.plan, self.duration_s = plan, duration_s
        self.start, self.goal = first.position, goal
        rest = np.zeros(len(goal))
        self._ends = first, Sample(goal, rest, rest)
        for array in (*first, goal, rest):
            array.setflags(write=False)

    def at(self, t_s: float) -> Sample:
        """The state at one time; outside 0 to the duration, exactly that of the nearer end."""
        if t_s >= self.duration_s:
            return self._ends[1]
        return self._compute(t_s) if t_s > 0.0 else self._ends[0]

    def sample(self, times_s: ArrayLike) -> Sample:
        """The states at k times, as (k, n) arrays; the same numbers as `at` to within rounding."""
        times = np.asarray(times_s, dtype=np.float64)
        before, after = times <= 0.0, times >= self.duration_s
        values = np.empty((3, len(times), len(self.goal)))
        for where, end in ((before, self._ends[0]), (after, self._ends[1])):
            values[:, where] = np.array(end)[:, None]
        between = ~(before | after)
        if between.any():
            values[:, between] = self._compute_many(times[between])
        return Sample(*values)

    @abstractmethod
    def _compute(self, t_s: float) -> Sample:
        """The state at a time strictly between both ends."""

    @abstractmethod
    def _compute_many(self, times_s: FloatArray) -> Sample:
        """The states at times strictly between both ends, as (k, n) arrays."""


def rest_at(position: FloatArray) -> Sample:
    """The state of axes that stand still."""
    return Sample(position, np.zeros(len(position)), np.zeros(len(position)))


def validate_duration(duration_s: float) -> float:
    """The duration of a motion, at least `SHORTEST_S`.

    Raises:
        InputError: longer than `LONGEST_S`.
    """
    if not duration_s <= LONGEST_S:
        raise InputError(
            "the motion would hardly ever end",
            value=f"{duration_s:.4g} s",
            limit=f"{LONGEST_S:.4g} s",
            remedy="Raise the speed, or move less far.",
        )
    return max(duration_s, SHORTEST_S)
