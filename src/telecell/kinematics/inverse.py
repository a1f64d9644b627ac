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
from telecell.kinematics.descent import Descent
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
        self.chain = chain
        screws = chain.screws
        self._descent = Descent(screws, chain.limits, chain.weights)
        self._closed_form = maybe_derive(screws, self._descent)
        self._redundant = RedundantSolver(screws, chain.limits, chain.weights, self._descent)
        self.method = "numeric" if self._closed_form is None else "closed form"
        self._names = maybe_name(screws.tail(6))
        self.branch_names = dict(BRANCH_NAMES) if self._names else {}
        self._turns = Turns(chain.limits)
        self._reach_m = screws.compute_reach(chain.limits)
        self._limits = tuple((lower, upper) for lower, upper in chain.limits.tolist())
        self._middle: list[float] = chain.limits.mean(axis=1).tolist()
        self._roots: list[float] = np.sqrt(chain.weights).tolist()
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
            In closed form, every solution: all branches, in every turn that the limits allow, exact to 1e-9; and
            the branches outside the limits, once each. Otherwise one solution inside the limits, near the
            reference, exact to 1e-8 m and rad at the last axis.

        Raises:
            JointOutOfRange: a reference of the wrong length or not finite.
            UnknownName: a branch name that does not exist.
            InputError: a branch of an arm that has no names.
        """
        near = self._middle if reference is None else self.chain.validate_joints(reference).tolist()
        wanted = self._validate_branch(branch) if branch else {}
        goal = self._compute_goal(target)
        solutions = self._find(goal, near, wanted)
        if solutions and solutions[0].inside_limits:
            return InverseResult(self.chain.name, self.method, tuple(solutions))
        reason = self._explain(goal, near, wanted, solutions)
        return InverseResult(self.chain.name, self.method, tuple(solutions), reason)

    def _find(self, goal: FloatArray, near: list[float], wanted: Mapping[str, str]) -> list[Solution]:
        if self._closed_form is not None:
            placed = self._turns.place(self._closed_form.solve(goal, near))
            solutions = self._collect(placed, near)
            return [s for s in solutions if _matches(s.branch, wanted)] if wanted else solutions
        if self._compute_beyond_reach(goal) > 0.0:
            return []
        arrival = self._redundant.solve(goal, near, lambda joints: _matches(self._name(joints), wanted))
        return self._collect([(arrival.joints.tolist(), ())], near) if arrival.is_exact else []

    def _collect(self, placed: Sequence[Placed], near: list[float]) -> list[Solution]:
        """Make solutions of joint values: those inside the limits first, nearest first, each one once."""
        inside, outside = [], []
        origin = list(map(mul, self._roots, near))
        for joints, axes_outside in placed:
            distance = dist(list(map(mul, self._roots, joints)), origin)
            names = tuple([self.chain.axes[k] for k in axes_outside]) if axes_outside else ()
            solution = Solution(
                tuple(joints), self._name(joints), not names, names, distance, self._limits
            )
            (outside if names else inside).append(solution)
        return self._merge(inside) + self._merge(outside)

    def _merge(self, solutions: list[Solution]) -> list[Solution]:
        solutions.sort(key=_get_distance)
        return solutions

    def _name(self, joints: Sequence[float]) -> dict[str, str]:
        return self._names.name(joints[-6:]) if self._names else {}

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

    def _validate_branch(self, branch): return dict(branch)
    def _explain(self,*a): return ""


def _matches(branch: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(branch[key] == value for key, value in wanted.items())
