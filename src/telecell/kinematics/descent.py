"""Inverse kinematics by descent from a start posture: the way for arms with any number of axes.

Every iteration is a quadratic program of mink: come nearer to the goal, move little, stay inside the limits. A
damping cost decides how the axes share the motion, and no posture is preferred: a pull towards a posture would win
against a long linear axis and leave the arm contorted or short of the goal (on a prototype with a posture cost of
1e-2: 7 % instead of 100 % of the targets more than 1.1 m along a rail).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import mink
import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.screws import END_SITE, Screws

ARRIVED = 1e-8
"""Error in metres and in radians below which a goal is reached."""

_ORIENTATION_COST = 0.3
_FRAME_DAMPING = 1e-3
_FAR_DAMPING, _NEAR_DAMPING = 2e-2, 1e-4
"""Damping cost per root of weight. Far from the goal it shares out the motion; near it only slows the end."""
_NEAR = 1e-3
_MOST_ITERATIONS = 60
_PATIENCE = 8
"""Iterations without 1 % of progress after which a descent gives up."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a descent ended.

    Attributes:
        joints: the posture, inside the limits.
        position_error_m: distance of the end from the goal.
        rotation_error_rad: angle of the end from the goal.
    """

    joints: FloatArray
    position_error_m: float
    rotation_error_rad: float

    @property
    def error(self) -> float:
        """Both errors in one number, as the descent weighs them."""
        return hypot(self.position_error_m, _ORIENTATION_COST * self.rotation_error_rad)

    @property
    def is_exact(self) -> bool:
        """Whether the goal was reached."""
        return self.position_error_m <= ARRIVED and self.rotation_error_rad <= ARRIVED


class Descent:
    """Descends on a model of one arm alone, so nothing else in the cell can move."""

    def __init__(self, screws: Screws, limits: FloatArray, weights: FloatArray):
        """Build the model and the tasks once; this takes about a millisecond."""
        model = screws.build_model()
        self._limits = limits
        self._configuration = mink.Configuration(model)
        self._frame = mink.FrameTask(END_SITE, "site", 1.0, _ORIENTATION_COST, lm_damping=_FRAME_DAMPING)
        self._damping = mink.DampingTask(model, 0.0)
        self._roots = np.sqrt(weights)
        self._box = _Box(limits)

    def run(self, goal: FloatArray, start: Sequence[float] | FloatArray) -> Arrival:
        """Descend to a goal (homogeneous 4 x 4, see `screws`) from a start posture."""
        self._frame.set_target(mink.SE3.from_matrix(goal))
        arrival = self._measure(np.asarray(start))
        best, idle = arrival, 0
        for _ in range(_MOST_ITERATIONS):
            if best.is_exact or idle > _PATIENCE:
                break
            try:
                arrival = self._measure(arrival.joints + self._step(arrival.error))
            except mink.NoSolutionFound:
                break
            idle = 0 if arrival.error < 0.99 * best.error else idle + 1
            best = min(best, arrival, key=lambda a: a.error)
        return best

    def _measure(self, joints: FloatArray) -> Arrival:
        # A step may leave the limits by the solver's tolerance, hence the clipping.
        inside = np.clip(joints, self._limits[:, 0], self._limits[:, 1])
        self._configuration.update(inside)
        error = self._frame.compute_error(self._configuration)
        return Arrival(inside, float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:])))

    def _step(self, error: float) -> FloatArray:
        self._damping.set_cost((_FAR_DAMPING if error > _NEAR else _NEAR_DAMPING) * self._roots)
        tasks = [self._frame, self._damping]
        return mink.solve_ik(self._configuration, tasks, dt=1.0, solver="daqp", limits=[self._box])


class _Box(mink.Limit):
    """Keeps every axis inside limits that are the robot's, not the model's."""

    def __init__(self, limits: FloatArray):
        count = len(limits)
        self._rows = np.vstack([np.eye(count), -np.eye(count)])
        self._lower, self._upper = limits[:, 0], limits[:, 1]

    def compute_qp_inequalities(self, configuration: mink.Configuration, dt: float) -> mink.Constraint:
        del dt  # a bound on the step, not on its speed
        joints = configuration.data.qpos
        return mink.Constraint(self._rows, np.concatenate([self._upper - joints, joints - self._lower]))
