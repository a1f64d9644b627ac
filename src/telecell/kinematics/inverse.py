"""Inverse kinematics of any chain: one call, one kind of answer."""

from __future__ import annotations

from collections.abc import Mapping
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
from telecell.kinematics.solution import InverseResult, Solution
from telecell.kinematics.turns import Turns

_SAME = 1e-6
_nearest_first = attrgetter("distance")


class InverseSolver:
    def __init__(self, chain: Chain):
        self.chain = chain
        screws = chain.screws
        self._closed_form = maybe_derive(screws)
        self._names = maybe_name(screws.tail(6)) if len(screws) >= 6 else None
        self._turns = Turns(chain.limits)
        self._limits = tuple((a, b) for a, b in chain.limits.tolist())
        self._middle = chain.limits.mean(axis=1)
        self._scale = tuple(np.sqrt(chain.weights).tolist()) if np.any(chain.weights != 1) else None
        self._left = self._right = np.eye(4)
        self._buf = np.eye(4)
        self._placed_for: Pose | None = None

    def solve(self, target: Pose, *, reference: ArrayLike | None = None, branch=None):
        start = self._middle if reference is None else self.chain.validate_joints(reference)
        near = start.tolist()
        rows, nearest = self._closed_form.solve(self._compute_goal(target), near)
        solutions = self._collect(rows, near)
        return InverseResult(self.chain.name, "closed form", tuple(solutions))

    def _compute_goal(self, target):
        if self._placed_for is not self.chain.root_in_base:
            self._placed_for = self.chain.root_in_base
            self._left = self.chain.root_in_base.inverse().as_matrix()
            self._right = (self.chain.tip_at_zero.inverse() @ Pose.translation(*self.chain.screws.end)).as_matrix()
        goal = self._buf
        goal[:3, :3] = target.rotation
        goal[:3, 3] = target.position
        return self._left.dot(goal).dot(self._right)

    def _collect(self, rows, reference):
        name = self._names.name if self._names else None
        scale = self._scale
        origin = reference if scale is None else tuple(map(mul, scale, reference))
        inside = []
        outs = []
        for joints, outside in self._turns.place(rows):
            distance = dist(joints, reference) if scale is None else dist(list(map(mul, scale, joints)), origin)
            branch = name(joints) if name else {}
            if outside:
                outs.append(
                    Solution(
                        tuple(joints),
                        branch,
                        False,
                        tuple([self.chain.axes[k] for k in outside]),
                        distance,
                        self._limits,
                    )
                )
            else:
                inside.append(Solution(tuple(joints), branch, True, (), distance, self._limits))
        inside.sort(key=_nearest_first)
        outs.sort(key=_nearest_first)
        return inside + outs
