"""Inverse kinematics of arms without a closed form of their own: seven, nine or five axes.

The first try is a descent from the reference, which finds the nearest way nearly always. Where it gets stuck and the
last six axes have a closed form, the axes before them are tried on a grid, coarse and then fine, which misses no
branch; other arms descend again from seeded random postures, the near ones first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import ceil, radians

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.closed_form import ClosedForm, maybe_derive
from telecell.kinematics.descent import Arrival, Descent
from telecell.kinematics.screws import Screws
from telecell.kinematics.turns import Turns

Accept = Callable[[Sequence[float]], bool]
"""Says whether a posture that reaches the goal is wanted."""

_GRID_STEPS = ((0.1, radians(50)), (0.05, radians(20)))
"""Coarse and fine steps of the grid: metres for slides, radians for hinges."""

_MOST_VALUES = 41
"""Values of one axis on the grid: the fine step over 2 m of rail."""

_MOST_LEADING_AXES = 3
_RESTARTS = 32


class RedundantSolver:
    """Finds one posture for a goal, near a reference."""

    def __init__(self, screws: Screws, limits: FloatArray, weights: FloatArray, descent: Descent):
        """Derive what can be derived once."""
        self._screws, self._limits, self._roots = screws, limits, np.sqrt(weights)
        self._descent = descent
        self._lead = len(screws) - 6
        self._tail = maybe_derive(screws.tail(6)) if 1 <= self._lead <= _MOST_LEADING_AXES else None
        self._tail_reach_m = screws.tail(6).compute_reach(limits[-6:])
        self._turns = Turns(limits[-6:])
        spread = np.random.default_rng(0).uniform(limits[:, 0], limits[:, 1], (_RESTARTS, len(screws)))
        self._starts = np.vstack([limits.mean(axis=1), spread])

    def maybe_solve(self, goal: FloatArray, reference: Sequence[float], accept: Accept) -> list[float] | None:
        """Find a posture near a reference.

        Args:
            goal: homogeneous 4 x 4, see `screws`.
            reference: one value per axis.
            accept: whether a posture that reaches the goal is wanted.

        Returns:
            A posture inside the limits that reaches the goal and is accepted, or None if none was found.
        """
        for arrival in self._attempt(goal, reference, accept):
            joints = arrival.joints.tolist()
            if arrival.is_exact and accept(joints):
                return joints
        return None

    def measure_miss(self, goal: FloatArray, reference: Sequence[float]) -> tuple[float, float]:
        """Metres and radians by which a descent from the reference misses a goal."""
        arrival = self._descent.run(goal, reference)
        return arrival.position_error_m, arrival.rotation_error_rad

    def _attempt(self, goal: FloatArray, reference: Sequence[float], accept: Accept) -> Iterator[Arrival]:
        yield self._descent.run(goal, reference)
        if self._tail is None:
            nearest_first = np.argsort(np.linalg.norm((self._starts - reference) * self._roots, axis=1))
            yield from (self._descent.run(goal, start) for start in self._starts[nearest_first])
            return
        for grid in self._grids:
            arrival = self._search(self._tail, grid, goal, reference, accept)
            if arrival is not None:
                yield arrival

    @cached_property
    def _grids(self) -> list[tuple[FloatArray, FloatArray]]:
        """Values of the leading axes, coarse and fine, each with the inverse of the motion that they make."""
        return [self._build_grid(metres, angle) for metres, angle in _GRID_STEPS]

    def _build_grid(self, metres: float, angle: float) -> tuple[FloatArray, FloatArray]:
        sides = []
        for axis in range(self._lead):
            lower, upper = self._limits[axis]
            step = metres if self._screws.slides[axis] else angle
            sides.append(np.linspace(lower, upper, min(1 + ceil((upper - lower) / step), _MOST_VALUES)))
        values = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, self._lead)
        motions = self._screws.compute_motions(0, values[:, 0])
        for axis in range(1, self._lead):
            motions = motions @ self._screws.compute_motions(axis, values[:, axis])
        return values, _invert(motions)

    def _search(
        self,
        tail: ClosedForm,
        grid: tuple[FloatArray, FloatArray],
        goal: FloatArray,
        reference: Sequence[float],
        accept: Accept,
    ) -> Arrival | None:
        """The accepted posture of a grid that is nearest to the reference."""
        values, inverses = grid
        lead, roots = self._lead, self._roots
        leading_distances = np.linalg.norm((values - reference[:lead]) * roots[:lead], axis=1)
        goals = inverses @ goal
        too_far = np.linalg.norm(goals[:, :3, 3] - self._screws.points[lead], axis=1) > self._tail_reach_m
        best, shortest = None, np.inf
        for k in np.argsort(leading_distances):
            if leading_distances[k] >= shortest:
                break
            if too_far[k]:
                continue
            rows = self._turns.place(tail.solve(goals[k], reference[lead:]), reference[lead:])
            for row in [row for turned, outside in rows if not outside for row in turned]:
                joints = np.array([*values[k], *row])
                distance = float(np.linalg.norm((joints - reference) * roots))
                if distance < shortest and accept(joints.tolist()):
                    best, shortest = joints, distance
        return None if best is None else Arrival(best, 0.0, 0.0)


def _invert(motions: FloatArray) -> FloatArray:
    """The inverses of rigid motions (k, 4, 4)."""
    inverses = np.tile(np.eye(4), (len(motions), 1, 1))
    inverses[:, :3, :3] = motions[:, :3, :3].transpose(0, 2, 1)
    inverses[:, :3, 3] = -np.einsum("kji,kj->ki", motions[:, :3, :3], motions[:, :3, 3])
    return inverses
