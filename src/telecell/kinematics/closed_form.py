"""All solutions of a six-hinge arm in closed form, by EAIK's decomposition into geometric subproblems.

EAIK (Ostermeier, Külz, Althoff 2024) derives the solver from the lines of the axes, so there is no code per robot.
Outside the workspace it answers with a least-squares posture, and at a wrist singularity its answer is wrong in
the wrist; its own flag does not tell these from exact answers. So every answer is judged by the forward kinematics,
and singular postures are solved again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import numpy as np
from eaik.pybindings import EAIK

from telecell.geometry import Pose
from telecell.geometry.arrays import FloatArray
from telecell.kinematics.descent import Descent
from telecell.kinematics.screws import ANGLE_TOLERANCE, MEETING_TOLERANCE_M, Screws
from telecell.kinematics.wrist import ALIGNED, SphericalWrist, maybe_find_wrist

EXACT = 1e-9
"""Largest difference, in metres or in an element of the rotation matrix, between goal and exact answer."""

_CLOSE = 0.1
"""Radians, in the axis that differs most, within which a posture counts as next to the reference."""

_TRIALS = 16
"""Random postures whose goals a derived solver must reach before it is trusted."""


class ClosedForm:
    """The closed-form solver of one arm; `maybe_derive` makes it where there is one."""

    def __init__(self, screws: Screws, descent: Descent | None = None):
        """Derive the solver; use `maybe_derive` unless it is known to exist."""
        self.robot = EAIK.Robot(screws.directions.T, screws.offsets.T, np.eye(3), [], True)
        self._forward = self.robot.fwdkin
        self._wrist = maybe_find_wrist(screws)
        self._descent = descent
        self._can_free_waist = self._wrist is not None and _may_reach_waist_axis(screws)
        self._waist = (screws.directions[0], screws.points[0])

    def solve(self, goal: FloatArray, reference: Sequence[float]) -> list[list[float]]:
        """Every posture that takes the end exactly to a goal, each angle in some turn.

        Args:
            goal: homogeneous 4 x 4, see `screws`.
            reference: six joint values. Where a singular posture leaves an axis free (the fourth when the wrist
                is straight, the first when the wrist centre lies on it), it keeps the value that it has here.

        Returns:
            Six joint values each; nothing where the goal is out of reach.
        """
        rows = self.robot.calculate_IK(goal).Q
        answers = rows.tolist()
        if not answers:
            return []
        if self._are_exact(goal, rows, answers) and not self._is_waist_free(goal):
            return answers
        return self._solve_with_care(goal, rows, reference).tolist()

    def measure_miss(self, goal: FloatArray) -> tuple[float, float]:
        """Metres and radians by which EAIK's best answer misses a goal."""
        reached = [self._forward(row) for row in self.robot.calculate_IK(goal).Q]
        misses = [_measure_apart(pose, goal) for pose in reached or [self._forward(np.zeros(6))]]
        return min(misses, key=sum)

    def compute_forward(self, joints: FloatArray) -> FloatArray:
        """The goal that a posture reaches."""
        return self._forward(joints)

    def _are_exact(self, goal: FloatArray, rows: FloatArray, answers: list[list[float]]) -> bool:
        """Whether all of EAIK's answers reach the goal."""
        if self._wrist is not None and all(map(self._wrist.is_flip, answers[::2], answers[1::2])):
            # Answers come in pairs with the wrist flipped: where one of a pair is exact, so is the other.
            rows = rows[::2]
        errors = np.array(list(map(self._forward, rows)))
        errors -= goal
        flat = errors.ravel()
        return flat.dot(flat) <= EXACT**2

    def _is_waist_free(self, goal: FloatArray) -> bool:
        """Whether the wrist centre lies on the first axis, so that the arm may turn about it as it likes."""
        if not self._can_free_waist:
            return False
        direction, point = self._waist
        return hypot(*np.cross(direction, goal[:3, 3] - point)) < ALIGNED

    def _solve_with_care(self, goal: FloatArray, rows: FloatArray, reference: Sequence[float]) -> FloatArray:
        """Keep the exact answers, and find those that EAIK loses at singular postures."""
        errors = np.abs([self._forward(row) - goal for row in rows])
        exact = rows[errors.max(axis=(1, 2)) <= EXACT]
        if self._reaches(reference, goal):
            # An arm that is there already can stay, however many of its joints are free.
            exact = np.vstack([reference, exact])
        if self._wrist is not None:
            at_centre = rows[errors[:, :3, 3].max(axis=1) <= EXACT]
            return self._resolve_wrists(self._wrist, goal, exact, at_centre, reference)
        return exact if self._descent is None else self._resolve_near(self._descent, goal, exact, reference)

    def _reaches(self, joints: Sequence[float], goal: FloatArray) -> bool:
        return bool(np.abs(self._forward(np.array(joints)) - goal).max() <= EXACT)

    def _resolve_wrists(
        self,
        wrist: SphericalWrist,
        goal: FloatArray,
        exact: FloatArray,
        at_centre: FloatArray,
        reference: Sequence[float],
    ) -> FloatArray:
        """Solve the wrist again for the postures (`at_centre`) whose first three axes are right."""
        shoulders = {tuple(row[:3]) for row in at_centre.tolist()}
        if self._is_waist_free(goal):
            shoulders = {(reference[0], q2, q3) for _, q2, q3 in shoulders}
            exact = exact[:0]
        found = []
        for shoulder in sorted(shoulders):
            forearm = self._forward(np.array([*shoulder, 0.0, 0.0, 0.0]))[:3, :3]
            angles = wrist.solve(forearm.T @ goal[:3, :3], reference[3])
            found += [(*shoulder, *three) for three in angles if self._reaches((*shoulder, *three), goal)]
        return np.vstack([exact, *found])

    def _resolve_near(
        self, descent: Descent, goal: FloatArray, exact: FloatArray, reference: Sequence[float]
    ) -> FloatArray:
        """Add the posture next to the reference, unless it is among the exact ones."""
        if len(exact) and np.abs(exact - reference).max(axis=1).min() < _CLOSE:
            return exact
        arrival = descent.run(goal, reference)
        return np.vstack([exact, arrival.joints]) if arrival.is_exact else exact


def _measure_apart(pose: FloatArray, goal: FloatArray) -> tuple[float, float]:
    apart = Pose.trusted(pose[:3, :3].copy(), pose[:3, 3].copy())
    return apart.distance_to(Pose.trusted(goal[:3, :3].copy(), goal[:3, 3].copy()))


def _may_reach_waist_axis(screws: Screws) -> bool:
    """False for arms whose wrist centre moves in a plane beside the first axis, like that of the PUMA."""
    z1, z2, z3 = screws.directions[:3]
    planar = np.linalg.norm(np.cross(z2, z3)) < ANGLE_TOLERANCE and abs(z1 @ z2) < ANGLE_TOLERANCE
    return not planar or abs(z2 @ (screws.end - screws.points[0])) < MEETING_TOLERANCE_M


def maybe_derive(screws: Screws, descent: Descent | None = None) -> ClosedForm | None:
    """The closed-form solver of an arm; None without six hinges or where EAIK knows no decomposition.

    None also where EAIK takes lines for parallel or crossing that are so only within a few digits, which would
    make all of its answers inexact.

    Args:
        screws: the lines of the axes.
        descent: finds the posture next to the reference where an arm without spherical wrist is singular and the
            closed form loses it.
    """
    if len(screws) != 6 or any(screws.slides):
        return None
    solver = ClosedForm(screws, descent)
    if not solver.robot.has_known_decomposition():
        return None
    trials = np.random.default_rng(0).uniform(-np.pi, np.pi, (_TRIALS, 6))
    reached = [len(solver.solve(solver.compute_forward(trial), trial)) > 0 for trial in trials]
    return solver if all(reached) else None
