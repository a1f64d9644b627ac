"""Inverse kinematics of arms without a closed form of their own: seven, nine or five axes.

The first try is a descent from the reference, which finds the nearest way nearly always. Where it gets stuck and the
last six axes have a closed form, the axes before them are tried on a grid, coarse and then fine, which misses no
branch; other arms descend again from seeded random postures, the near ones first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import dist, radians

import numpy as np

from telecell.geometry.arrays import FloatArray
from telecell.kinematics.closed_form import maybe_derive
from telecell.kinematics.descent import Arrival, Descent
from telecell.kinematics.screws import Screws
from telecell.kinematics.turns import Turns

Accept = Callable[[Sequence[float]], bool]

_GRID_STEPS = ((0.1, radians(50)), (0.05, radians(20)))
"""Coarse and fine steps of the grid: metres for slides, radians for hinges."""

_MOST_LEADING_AXES = 3
_RESTARTS = 32


class RedundantSolver:
    """Finds one posture for a goal, near a reference."""

    def __init__(self, screws: Screws, limits: FloatArray, weights: FloatArray, descent: Descent):
        """Derive what can be derived once."""
        self._screws, self._limits = screws, limits
        self._roots = np.sqrt(weights)
        self._descent = descent
        leading = len(screws) - 6
        has_tail = 1 <= leading <= _MOST_LEADING_AXES
        self._tail = maybe_derive(screws.tail(6)) if has_tail else None
        self._leading = leading
        self._tail_reach = screws.tail(6).compute_reach(limits[-6:])
        self._turns = Turns(limits[-6:])
        spread = np.random.default_rng(0).uniform(limits[:, 0], limits[:, 1], (_RESTARTS, len(screws)))
        self._starts = np.vstack([limits.mean(axis=1), spread])

    def solve(self, goal: FloatArray, reference: Sequence[float], accept: Accept) -> Arrival:
        """Find a posture near a reference.

        Args:
            goal: homogeneous 4 x 4, see `screws`.
            reference: one value per axis.
            accept: whether a posture that reaches the goal is wanted.

        Returns:
            An exact posture that is accepted; otherwise the nearest that was found.
        """
        tries = []
        for arrival in self._attempt(goal, reference, accept):
            if arrival.is_exact and accept(arrival.joints.tolist()):
                return arrival
            tries.append(arrival)
        return min(tries, key=lambda arrival: arrival.error)

    def _attempt(self, goal: FloatArray, reference: Sequence[float], accept: Accept) -> Iterator[Arrival]:
        yield self._descent.run(goal, reference)
        if self._tail is None:
            nearest_first = np.argsort(np.linalg.norm((self._starts - reference) * self._roots, axis=1))
            yield from (self._descent.run(goal, start) for start in self._starts[nearest_first])
            return
        for grid in self._grids:
            joints = self._search(grid, goal, reference, accept)
            if joints is not None:
                yield Arrival(np.array(joints), 0.0, 0.0)

    @cached_property
    def _grids(self) -> list[tuple[FloatArray, FloatArray]]:
        """Values of the leading axes, coarse and fine, each with the inverse of the motion that they make."""
        return [self._build_grid(metres, angle) for metres, angle in _GRID_STEPS]

    def _build_grid(self, metres: float, angle: float) -> tuple[FloatArray, FloatArray]:
        sides = [
            np.linspace(lower, upper, 1 + int(np.ceil((upper - lower) / (metres if slides else angle))))
            for (lower, upper), slides in zip(self._limits, self._screws.slides, strict=True)
        ]
        values = np.stack(np.meshgrid(*sides[: self._leading], indexing="ij"), axis=-1)
        values = values.reshape(-1, self._leading)
        return values, np.linalg.inv(self._move_leading(values))

    def _move_leading(self, values: FloatArray) -> FloatArray:
        motion = self._screws.compute_motions(0, values[:, 0])
        for axis in range(1, self._leading):
            motion = motion @ self._screws.compute_motions(axis, values[:, axis])
        return motion

    def _search(
        self, grid: tuple[FloatArray, FloatArray], goal: FloatArray, reference: Sequence[float], accept: Accept
    ) -> list[float] | None:
        """The accepted posture of a grid that is nearest to the reference."""
        assert self._tail is not None
        values, inverses = grid
        lead, roots = self._leading, self._roots
        distances = np.linalg.norm((values - reference[:lead]) * roots[:lead], axis=1)
        goals = inverses @ goal
        too_far = np.linalg.norm(goals[:, :3, 3] - self._screws.points[lead], axis=1) > self._tail_reach
        best, best_distance = None, np.inf
        origin = (reference * roots).tolist()
        for k in np.argsort(distances):
            if distances[k] >= best_distance:
                break
            if too_far[k]:
                continue
            exact, _ = self._tail.solve(goals[k], reference[lead:])
            for tail, outside in self._turns.place(exact):
                joints = [*values[k].tolist(), *tail]
                distance = dist((joints * roots).tolist(), origin)
                if not outside and distance < best_distance and accept(joints):
                    best, best_distance = joints, distance
        return best
