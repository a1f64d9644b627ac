"""The inverse solution next to a posture, wherever it lies: what following a path needs."""

from __future__ import annotations

from math import tau

import numpy as np

from telecell.geometry import FloatArray, Pose, vector_from_rotation
from telecell.kinematics import InverseSolver

_ARRIVED = 1e-9
"""Error of the tip, in m and rad, below which a pose is reached."""

_MOST_ITERATIONS = 12
_LARGEST_STEP = 0.5


class NextPosture:
    """Finds, for a pose near that of a posture, the posture next to it.

    In closed form it is the nearest of all solutions, in whatever turn is nearest, inside the limits or not: a path
    that leaves the limits must be noticed, not continued a turn away. Other arms take Newton steps, in which the axes
    share the motion by their weights and stay inside the limits.
    """

    def __init__(self, solver: InverseSolver, allowed: FloatArray):
        """Take the solver of the arm and the (n, 2) range in which its axes may move."""
        self._solver, self._chain = solver, solver.chain
        self._lower, self._upper = allowed.T
        self._roots = np.sqrt(self._chain.weights)
        self.maybe_find = self._maybe_select if solver.method == "closed form" else self._maybe_descend

    def _maybe_select(self, pose: Pose, near: FloatArray) -> FloatArray | None:
        solutions = self._solver.solve(pose, reference=near).solutions
        if not solutions:
            return None
        away = np.array([solution.joints for solution in solutions]) - near
        away -= tau * np.round(away / tau)
        distances = ((away * self._roots) ** 2).sum(axis=1)
        return near + away[np.argmin(distances)]

    def _maybe_descend(self, pose: Pose, near: FloatArray) -> FloatArray | None:
        joints, before = near, np.inf
        for _ in range(_MOST_ITERATIONS):
            here = self._chain.forward(joints)
            error = np.concatenate(
                [pose.position - here.position, vector_from_rotation(pose.rotation @ here.rotation.T)]
            )
            size = float(np.abs(error).max())
            if size <= _ARRIVED:
                return joints
            if size > 0.5 * before:
                break  # from nearby, Newton's steps converge quickly or not at all
            joints, before = joints + self._compute_step(joints, error), size
        return None

    def _compute_step(self, joints: FloatArray, error: FloatArray) -> FloatArray:
        """The least weighted step that removes the error, of the axes that the limits leave free."""
        jacobian = self._chain.jacobian(joints) / self._roots
        step, free = np.zeros(len(joints)), np.ones(len(joints), dtype=bool)
        while free.any():
            rest = error - jacobian @ (step * self._roots * ~free)
            step[free] = np.linalg.lstsq(jacobian[:, free], rest, rcond=1e-9)[0] / self._roots[free]
            wanted = joints + step
            beyond = free & ((wanted < self._lower) | (wanted > self._upper))
            if not beyond.any():
                break
            step[beyond] = np.clip(wanted, self._lower, self._upper)[beyond] - joints[beyond]
            free &= ~beyond
        return step * min(1.0, _LARGEST_STEP / max(np.abs(step).max(), _ARRIVED))
