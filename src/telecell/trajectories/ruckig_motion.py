"""Motion that ruckig computes: time-optimal within velocity, acceleration and jerk."""

from __future__ import annotations

from math import isfinite

import msgspec
import numpy as np
import ruckig

from telecell.errors import SnapshotMismatch
from telecell.geometry import FloatArray
from telecell.trajectories.trajectory import Sample, Trajectory

JERK_SHARES = (1.0, 1.0 - 1e-9, 1.0 - 1e-6)
"""Where two kinds of profiles meet exactly (a distance of 2 a³ / j², say), ruckig finds neither; a little beside it, it
does."""


class RuckigMotion(Trajectory):
    """A trajectory of ruckig behind the interface of this package.

    Ruckig's objects can be neither copied nor pickled; the same input gives the same bits again, so the plan holds
    the input.
    """

    def __init__(self, plan: msgspec.Struct, parameters: ruckig.InputParameter, goal: FloatArray | None):
        """Compute the motion.

        Args:
            plan: what it is built from.
            parameters: ruckig's input.
            goal: where it ends; None for wherever it comes to rest.

        Raises:
            SnapshotMismatch: ruckig finds no motion; for states that a limit forbids, none exists.
        """
        self._motion = calculate(parameters)
        first = np.array([parameters.current_position, parameters.current_velocity, parameters.current_acceleration])
        duration_s = self._motion.duration
        end = np.array(self._motion.at_time(duration_s)[0]) if goal is None else goal
        super().__init__(plan, duration_s, Sample(*first), end)

    @property
    def extremes(self) -> FloatArray:
        """(n, 2) smallest and largest position of each axis on the way."""
        return np.array([(bound.min, bound.max) for bound in self._motion.position_extrema])

    def _compute(self, t_s: float) -> Sample:
        return Sample(*np.array(self._motion.at_time(t_s)))

    def _compute_many(self, times_s: FloatArray) -> Sample:
        rows = np.array([self._motion.at_time(t_s) for t_s in times_s.tolist()])
        return Sample(*rows.reshape(-1, 3, len(self.goal)).transpose(1, 0, 2))


def calculate(parameters: ruckig.InputParameter) -> ruckig.Trajectory:
    """Let ruckig find the motion.

    Raises:
        SnapshotMismatch: it finds none.
    """
    jerk = np.array(parameters.max_jerk)
    for share in JERK_SHARES:
        parameters.max_jerk = (share * jerk).tolist()
        motion = _maybe_calculate(parameters)
        if motion is not None:
            return motion
    raise SnapshotMismatch(
        "no motion within the limits leads on from there",
        value=list(parameters.current_velocity),
        limit=list(parameters.max_acceleration),
        remedy="Restore another snapshot, or start the cell afresh.",
    )


def _maybe_calculate(parameters: ruckig.InputParameter) -> ruckig.Trajectory | None:
    count = parameters.degrees_of_freedom
    motion = ruckig.Trajectory(count)
    try:
        result = ruckig.Ruckig(count).calculate(parameters, motion)
    except ruckig.RuckigError:
        return None
    found = result in (ruckig.Result.Working, ruckig.Result.Finished) and isfinite(motion.duration)
    return motion if found else None
