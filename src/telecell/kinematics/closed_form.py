"""All solutions of a six-hinge arm in closed form, by EAIK's decomposition into geometric subproblems.

EAIK (Ostermeier, Külz, Althoff 2024) derives the solver from the lines of the axes, so there is no code per robot.
Outside the workspace it answers with a least-squares posture, and at a wrist singularity its answer is wrong in
the wrist; its own flag does not tell these from exact answers. So every answer is judged by the forward kinematics,
and singular postures are solved again here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

import numpy as np
from eaik.pybindings import EAIK

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.screws import ANGLE_TOLERANCE, MEETING_TOLERANCE_M, Screws
from telecell.kinematics.wrist import ALIGNED, maybe_find_wrist

EXACT = 1e-9
"""Largest difference, in metres or in an element of the rotation matrix, between goal and exact answer."""

_TRIALS = 16
"""Random postures whose goals a derived solver must reach before it is trusted."""


class ClosedForm:
    """The closed-form solver of one arm; `maybe_derive` makes it where there is one."""

    def __init__(self, screws: Screws):
        """Derive the solver; use `maybe_derive` unless it is known to exist."""
        self.robot = EAIK.Robot(screws.directions.T, screws.offsets.T, np.eye(3), [], True)
        self._forward = self.robot.fwdkin
        self._wrist = maybe_find_wrist(screws)
        self._can_free_waist = self._wrist is not None and _may_reach_waist_axis(screws)
        self._waist = (screws.directions[0], screws.points[0])

    def solve(self, goal: FloatArray, reference: Sequence[float]) -> tuple[FloatArray, FloatArray | None]:
        """Every posture that takes the end to a goal, each angle in some turn.

        Args:
            goal: homogeneous 4 x 4, see `screws`.
            reference: six joint values. Where a singular posture leaves an axis free (the fourth when the wrist
                is straight, the first when the wrist centre lies on it), it keeps the value that it has here.

        Returns:
            The exact postures (k, 6); and when there are none, the best that was found, if any.
        """
        rows = self.robot.calculate_IK(goal).Q
        if not len(rows):
            return np.empty((0, 6)), None
        errors = np.array(list(map(self._forward, rows)))
        errors -= goal
        flat = errors.ravel()
        if flat.dot(flat) <= EXACT**2 and not self._is_waist_free(goal):
            return rows, None
        np.abs(errors, out=errors)
        worst = errors.max(axis=(1, 2))
        exact = rows[worst <= EXACT]
        if self._wrist is not None:
            at_centre = rows[errors[:, :3, 3].max(axis=1) <= EXACT]
            exact = self._resolve_singular(goal, exact, at_centre, reference)
        return exact, None if len(exact) else rows[int(np.argmin(worst))]

    def compute_forward(self, joints: FloatArray) -> FloatArray:
        """The goal that a posture reaches."""
        return self._forward(joints)

    def _is_waist_free(self, goal: FloatArray) -> bool:
        """Whether the wrist centre lies on the first axis, so that the arm may turn about it as it likes."""
        if not self._can_free_waist:
            return False
        direction, point = self._waist
        return hypot(*np.cross(direction, goal[:3, 3] - point)) < ALIGNED

    def _resolve_singular(
        self, goal: FloatArray, exact: FloatArray, at_centre: FloatArray, reference: Sequence[float]
    ) -> FloatArray:
        """Solve the wrist again for the postures whose first three axes are right.

        Args:
            goal: homogeneous 4 x 4.
            exact: (k, 6) the postures that are right in all axes.
            at_centre: (m, 6) those that take the wrist centre to its place.
            reference: six joint values.
        """
        shoulders = {tuple(row[:3]) for row in at_centre.tolist()}
        if self._is_waist_free(goal):
            shoulders = {(reference[0], q2, q3) for _, q2, q3 in shoulders}
            exact = exact[:0]
        solved = np.array(list(self._solve_wrists(goal, sorted(shoulders), reference[3]))).reshape(-1, 6)
        good = [np.abs(self._forward(row) - goal).max() <= EXACT for row in solved]
        return np.vstack([exact, solved[good]])

    def _solve_wrists(
        self, goal: FloatArray, shoulders: Iterable[tuple[float, ...]], q4: float
    ) -> Iterable[tuple[float, ...]]:
        assert self._wrist is not None
        for shoulder in shoulders:
            forearm = self._forward(np.array([*shoulder, 0.0, 0.0, 0.0]))[:3, :3]
            for wrist in self._wrist.solve(forearm.T @ goal[:3, :3], q4):
                yield *shoulder, *wrist


def _may_reach_waist_axis(screws: Screws) -> bool:
    """False for arms whose wrist centre moves in a plane beside the first axis, like that of the PUMA."""
    z1, z2, z3 = screws.directions[:3]
    planar = np.linalg.norm(np.cross(z2, z3)) < ANGLE_TOLERANCE and abs(z1 @ z2) < ANGLE_TOLERANCE
    return not planar or abs(z2 @ (screws.end - screws.points[0])) < MEETING_TOLERANCE_M


def maybe_derive(screws: Screws) -> ClosedForm | None:
    """The closed-form solver of an arm; None without six hinges or where EAIK knows no decomposition.

    None also where EAIK takes lines for parallel or crossing that are so only within a few digits, which would
    make all of its answers inexact.
    """
    if len(screws) != 6 or any(screws.slides):
        return None
    solver = ClosedForm(screws)
    if not solver.robot.has_known_decomposition():
        return None
    trials = np.random.default_rng(0).uniform(-np.pi, np.pi, (_TRIALS, 6))
    reached = [len(solver.solve(solver.compute_forward(trial), trial)[0]) > 0 for trial in trials]
    return solver if all(reached) else None
