"""Straight motion in joint space: all axes follow one time law."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import msgspec
import numpy as np

from telecell.geometry import FloatArray
from telecell.trajectories.trajectory import Sample, Trajectory, rest_at


class StraightMotion(Trajectory):
    """From rest to rest: position = start + s(t) (goal - start), where s goes from 0 to 1."""

    def __init__(self, plan: msgspec.Struct, start: FloatArray, goal: FloatArray, duration_s: float):
        super().__init__(plan, duration_s, rest_at(start), goal)
        self._way = goal - start

    @abstractmethod
    def _compute_law(self, t_s: Any) -> tuple[Any, Any, Any]:
        """The law s and its first two derivatives, at one time or at an array of times."""

    def _compute(self, t_s: float) -> Sample:
        s, ds, dds = self._compute_law(t_s)
        return Sample(self.start + s * self._way, ds * self._way, dds * self._way)

    def _compute_many(self, times_s: FloatArray) -> Sample:
        s, ds, dds = (np.multiply.outer(values, self._way) for values in self._compute_law(times_s))
        return Sample(self.start + s, ds, dds)
