"""Inverse kinematics of any chain: one call, one kind of answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from operator import attrgetter, mul

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, UnknownName
from telecell.geometry import Pose
from telecell.geometry.arrays import FloatArray
from telecell.kinematics.branches import BRANCH_NAMES, maybe_name
from telecell.kinematics.chain import Chain
from telecell.kinematics.closed_form import maybe_derive
from telecell.kinematics.descent import ARRIVED, Descent
from telecell.kinematics.reasons import explain_branch, explain_limits, explain_miss, explain_reach
from telecell.kinematics.redundant import RedundantSolver
from telecell.kinematics.solution import InverseResult, Solution
from telecell.kinematics.turns import Placed, Turns

_SAME = 1e-6
"""Postures that differ by less in every axis are one, found in two branches that meet there."""

_get_distance = attrgetter("distance")


class InverseSolver:
    """Finds the postures of a chain that take its tip to a pose.

    Making one derives the solver from the lines of the chain's axes, in milliseconds: make it when the cell loads.
    It follows the chain: after `chain.set_posture` it solves for the arm where it then stands.

    Attributes:
        chain: the chain.
        method: `"closed form"` for six hinges of a known family, else `"numeric"`.
        branch_names: the names that solutions of this arm have, key to values; empty for arms without names.
    """

    def __init__(self, chain: Chain):
        screws, limits = chain.screws, chain.limits
        self.chain = chain
        descent = Descent(screws, limits, chain.weights)
        self._closed_form = maybe_derive(screws, descent)
        self._redundant = RedundantSolver(screws, limits, chain.weights, descent)
        self.method = "numeric" if self._closed_form is None else "closed form"
        names = maybe_name(screws.tail(6))
        self._name = names.name if names else _name_nothing
        self.branch_names = dict(BRANCH_NAMES) if names else {}
        self._turns = Turns(limits)
        self._reach_m = screws.compute_reach(limits)
        self._limits = tuple((lower, upper) for lower, upper in limits.tolist())
        self._middle: list[float] = limits.mean(axis=1).tolist()
        self._roots: list[float] = np.sqrt(chain.weights).tolist()
        self._same_distance = _SAME * float(np.sqrt(chain.weights.sum()))
        self._target = np.eye(4)
        self._follow_posture()

    def solve(
        self,
        target: Pose,
        *,
        reference: ArrayLike | None = None,
        branch: Mapping[str, str] | None = None,
    ) -> InverseResult:
        """Find the postures for a pose.

        Args:
            target: wanted pose of the chain's tip in its base frame.
            reference: joint values to stay near, and to keep where a singular posture leaves an axis free; the
                middle of the limits by default.
            branch: wanted names, for example `{"arm": "lefty"}`; any by default.

        Returns:
            In closed form, every solution: all branches, in every turn that the limits allow, and the branches
            outside the limits once each. Otherwise one solution inside the limits, near the reference. All are
            exact to 1e-8 m and rad at the last axis, those in closed form to 1e-9.

        Raises:
            JointOutOfRange: a reference of the wrong length or not finite.
            UnknownName: a branch name that does not exist.
            InputError: a branch of an arm that has no names.
        """
        near = self._middle if reference is None else self.chain.validate_joints(reference).tolist()
        wanted = self.validate_branch(branch or {})
        goal = self._compute_goal(target)
        solutions = self._find(goal, near, wanted)
        reachable = bool(solutions) and solutions[0].inside_limits
        reason = "" if reachable else self._explain(goal, near, wanted, solutions)
        return InverseResult(self.chain.name, self.method, tuple(solutions), reason)

    def _find(self, goal: FloatArray, near: list[float], wanted: Mapping[str, str]) -> list[Solution]:
        if self._closed_form is not None:
            return self._collect(self._turns.place(self._closed_form.solve(goal, near), near), near, wanted)
        if self._compute_excess(goal) > ARRIVED:
            return []
        joints = self._redundant.maybe_solve(goal, near, lambda found: _matches(self._name(found), wanted))
        if joints is None:
            return []
        distance = dist(tuple(map(mul, self._roots, joints)), tuple(map(mul, self._roots, near)))
        return [Solution(tuple(joints), self._name(joints), True, (), distance, self._limits)]

    def _collect(self, placed: Sequence[Placed], near: list[float], wanted: Mapping[str, str]) -> list[Solution]:
        """Make solutions of six-axis postures: inside the limits first, nearest first, each posture once."""
        inside, outside = [], []
        name, limits = self._name, self._limits
        a, b, c, d, e, f = self._roots
        origin = tuple(map(mul, self._roots, near))
        for turned, beyond in placed:
            branch = name(turned[0])
            if wanted and not _matches(branch, wanted):
                continue
            for joints in turned:
                q1, q2, q3, q4, q5, q6 = joints
                distance = dist((a * q1, b * q2, c * q3, d * q4, e * q5, f * q6), origin)
                if beyond:
                    axes = tuple([self.chain.axes[k] for k in beyond])
                    outside.append(Solution(tuple(joints), branch, False, axes, distance, limits))
                else:
                    inside.append(Solution(tuple(joints), branch, True, (), distance, limits))
        return self._sort(inside) + self._sort(outside)

    def _sort(self, solutions: list[Solution]) -> list[Solution]:
        """Nearest first, and of equal postures the first only."""
        solutions.sort(key=_get_distance)
        kept: list[Solution] = []
        tied: list[Solution] = []
        for solution in solutions:
            # Equal postures are equally far from the reference.
            while tied and solution.distance - tied[0].distance > self._same_distance:
                del tied[0]
            if not tied or not _is_among(solution, tied):
                kept.append(solution)
                tied.append(solution)
        return kept

    def _explain(
        self, goal: FloatArray, near: list[float], wanted: Mapping[str, str], solutions: Sequence[Solution]
    ) -> str:
        """Say why none of the wanted solutions is inside the limits."""
        if solutions:
            return explain_limits(solutions, self.chain.axes)
        in_any_branch = self._find(goal, near, {}) if wanted else []
        if in_any_branch:
            return explain_branch(wanted, in_any_branch)
        excess = self._compute_excess(goal)
        if excess > ARRIVED:
            return explain_reach(excess)
        if self._closed_form is None:
            return explain_miss(*self._redundant.measure_miss(goal, near))
        return explain_miss(*self._closed_form.measure_miss(goal))

    def _compute_excess(self, goal: FloatArray) -> float:
        """By how many metres at least a goal is out of reach; negative where it may be reached."""
        return dist(goal[:3, 3], self.chain.screws.points[0]) - self._reach_m

    def _compute_goal(self, target: Pose) -> FloatArray:
        if self._followed is not self.chain.root_in_base:
            self._follow_posture()
        self._target[:3, :3] = target.rotation
        self._target[:3, 3] = target.position
        return self._base_to_root.dot(self._target).dot(self._tip_to_end)

    def _follow_posture(self) -> None:
        self._followed = self.chain.root_in_base
        self._base_to_root = self._followed.inverse().as_matrix()
        end_at_zero = Pose.translation(*self.chain.screws.end)
        self._tip_to_end = (self.chain.tip_at_zero.inverse() @ end_at_zero).as_matrix()

    def validate_branch(self, branch: Mapping[str, str]) -> Mapping[str, str]:
        """The branch itself, if this arm has it.

        Raises:
            UnknownName: a key or value that does not exist.
            InputError: the arm has no named branches.
        """
        if branch and not self.branch_names:
            raise InputError(
                "this arm has no named branches",
                where=self.chain.name,
                value=dict(branch),
                remedy="Leave the branch out, and give a reference near the posture you want.",
            )
        for key, value in branch.items():
            if key not in self.branch_names:
                raise UnknownName("branch key", key, list(self.branch_names), where=self.chain.name)
            if value not in self.branch_names[key]:
                raise UnknownName(f"branch {key}", value, self.branch_names[key], where=self.chain.name)
        return branch


def _is_among(solution: Solution, others: Sequence[Solution]) -> bool:
    for other in others:
        for a, b in zip(solution.joints, other.joints, strict=True):
            if abs(a - b) >= _SAME:
                break
        else:
            return True
    return False


def _matches(branch: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(branch[key] == value for key, value in wanted.items())


def _name_nothing(_joints: Sequence[float]) -> dict[str, str]:
    return {}
