"""How the axes follow a straight line of the tip without a jump.

The line is traced from its start: each new knot is the inverse solution next to the one before. A step is kept only
if the axes move little and evenly in it; otherwise it is halved. So the trace follows the quick turns near a
singularity, and gives up where an axis would have to jump.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np

from telecell.errors import NoSolution
from telecell.geometry import FloatArray, Pose
from telecell.kinematics import InverseSolver
from telecell.kinematics.branches import maybe_name
from telecell.trajectories.limits import ROUNDING, MotionLimits
from telecell.trajectories.next_posture import NextPosture
from telecell.trajectories.piecewise import Piecewise, compute_smooth_velocities
from telecell.trajectories.tip_line import TipLine

_LONGEST_STEP_M, _LONGEST_STEP_RAD = 0.05, 0.25
_SMALLEST_STEP, _SMALLEST_REACH = 1e-7, 1e-4
"""Parts of the line below which a step is no longer halved: to find a continuous way, to find the end of the reach."""

_MOST_TURN = 0.2
"""Rad or m that an axis may move from one knot to the next."""

_MOST_BEND = 0.01
"""Rad or m by which a knot may leave the straight line, in joint space, between its neighbours."""

_MOST_TRIALS = 400
"""Steps and knots tried for one line: a bound on the time that a hopeless one takes."""

_NEAR_M, _NEAR_RAD = 2.5e-5, 8e-5
"""How far the tip may be beside the line between two knots: 0.025 mm and 0.005 deg."""

_REMEDY = "Move in joints, choose another branch, or turn the wrist away from straight first."


class LinePath:
    """Traces one line; use it once."""

    def __init__(self, solver: InverseSolver, limits: MotionLimits, line: TipLine, start: FloatArray):
        self._solver, self._limits, self._line = solver, limits, line
        self._allowed = limits.compute_range(start)
        self._next = NextPosture(solver, self._allowed)
        self._parts, self._knots = [0.0], [start]
        self._trials = 0
        steps = max(4, ceil(line.length_m / _LONGEST_STEP_M), ceil(line.angle_rad / _LONGEST_STEP_RAD))
        self._longest, self._careful, self._careful_until = 1.0 / steps, 1.0 / steps, 0.0

    def trace(self) -> Piecewise:
        """The path as a function of the part of the line, 0 to 1.

        Raises:
            NoSolution: a pose out of reach, or an axis that would have to jump.
            JointOutOfRange: an axis that would have to leave its limits.
        """
        while True:
            self._follow()
            path, missed = self._refine()
            if missed is None:
                return path
            self._go_back(missed)

    def _follow(self) -> None:
        """Go on to the end of the line."""
        step = self._longest
        while (left := 1.0 - self._parts[-1]) > 0.0:
            self._count_trial()
            step = min(step, self._careful if self._parts[-1] < self._careful_until else self._longest)
            step = left if left < 1.01 * step else step
            step = 2.0 * step if self._try_step(step) else 0.5 * step

    def _count_trial(self) -> None:
        self._trials += 1
        if self._trials > _MOST_TRIALS:
            raise self._build_jump(self._knots[-2], self._knots[-1])

    def _go_back(self, missed: float) -> None:
        """Forget the knots after a place that the path misses: a step too long has passed a quick turn of an axis."""
        last = bisect_left(self._parts, missed)
        self._careful, self._careful_until = 0.25 * (self._parts[last] - self._parts[last - 1]), self._parts[last]
        del self._parts[last:], self._knots[last:]

    def validate_branch(self, branch: Mapping[str, str]) -> None:
        """Check that a traced path keeps to a branch; its ends may lie where branches meet.

        Raises:
            NoSolution: it does not.
        """
        names = maybe_name(self._solver.chain.screws.tail(6))
        for part, joints in zip(self._parts[1:-1], self._knots[1:-1], strict=True):
            found = names.name(joints.tolist()) if names else {}
            for key, value in branch.items():
                if found[key] != value:
                    raise NoSolution(
                        f"the line cannot be followed with {key} {value}: {describe_part(part)} it is {found[key]}",
                        where=self._solver.chain.name,
                        choices=self._solver.branch_names[key],
                        remedy="Move in joints to that branch first, or leave the branch out.",
                    )

    def _try_step(self, step: float) -> bool:
        """Go on by a step, and say whether it was kept."""
        part, joints = self._parts[-1], self._knots[-1]
        middle = self._next.maybe_find(self._line.compute_pose(part + 0.5 * step), joints)
        end = None if middle is None else self._next.maybe_find(self._line.compute_pose(part + step), middle)
        if middle is None or end is None:
            if step < _SMALLEST_REACH:
                raise self._build_unreachable(part)
            return False
        if _is_even(joints, middle, end):
            self._keep(part + 0.5 * step, middle)
            self._keep(part + step, end)
            return True
        return self._try_straight(part, joints, step)

    def _try_straight(self, part: float, joints: FloatArray, step: float) -> bool:
        """Pass a singular posture that is nearer than the tolerance: in a straight line of the axes."""
        end = self._next.maybe_find(self._line.compute_pose(part + step), joints)
        if end is not None and np.abs(end - joints).max() <= _MOST_TURN:
            shares = (0.25, 0.5, 0.75)
            between = [(part + share * step, joints + share * (end - joints)) for share in shares]
            if all(self._is_near(q, p) for p, q in between):
                for knot in (*between, (part + step, end)):
                    self._keep(*knot)
                return True
        if step < _SMALLEST_STEP:
            raise self._build_unreachable(part) if end is None else self._build_jump(joints, end)
        return False

    def _keep(self, part: float, joints: FloatArray) -> None:
        excess = np.maximum(self._allowed[:, 0] - joints, joints - self._allowed[:, 1])
        axis = int(np.argmax(excess))
        if excess[axis] > ROUNDING:
            raise self._limits.build_refusal(
                f"the line leaves the limits {describe_part(part)}", axis, joints[axis], self._allowed, _REMEDY
            )
        self._parts.append(min(part, 1.0))
        self._knots.append(joints)

    def _refine(self) -> tuple[Piecewise, float | None]:
        """Add knots between those where the tip leaves the line; also answer where that does not help, if anywhere."""
        near: set[float] = set()
        path = _join(self._parts, self._knots)
        while away := self._list_away(path, near):
            added = [self._insert(part, joints) for part, joints in away]
            if not all(added):
                return path, away[added.index(False)][0]
            path = _join(self._parts, self._knots)
        return path, None

    def _list_away(self, path: Piecewise, near: set[float]) -> list[tuple[float, FloatArray]]:
        """The middles between knots where the tip is away from the line; the others become part of `near`."""
        middles = 0.5 * (path.times[:-1] + path.times[1:])
        places = zip(middles.tolist(), path.evaluate(middles)[0], strict=True)
        away = [(part, joints) for part, joints in places if part not in near and not self._is_near(joints, part)]
        near.update(set(middles.tolist()) - {part for part, _ in away})
        return away

    def _insert(self, part: float, guess: FloatArray) -> bool:
        """Add a knot; not one so far away that a quick turn of an axis must have been missed."""
        self._count_trial()
        joints = self._next.maybe_find(self._line.compute_pose(part), guess)
        if joints is None or np.abs(joints - guess).max() > _MOST_BEND:
            return False
        index = bisect_left(self._parts, part)
        self._parts.insert(index, part)
        self._knots.insert(index, joints)
        return True

    def _is_near(self, joints: FloatArray, part: float) -> bool:
        here, there = self._solver.chain.forward(joints), self._line.compute_pose(part)
        return is_near(here, there, _NEAR_M, _NEAR_RAD)

    def _build_unreachable(self, part: float) -> NoSolution:
        margins = np.abs(self._knots[-1][:, None] - self._allowed).min(axis=1)
        blocked = [self._limits.describe_axis(axis) for axis in np.flatnonzero(margins < ROUNDING).tolist()]
        blame = f", with {', '.join(blocked)} at the limit" if blocked else ""
        return NoSolution(
            f"the line leaves the reach of the arm {describe_part(part)}{blame}",
            where=self._solver.chain.name,
            remedy="Choose a nearer target, or move in joints.",
        )

    def _build_jump(self, before: FloatArray, after: FloatArray) -> NoSolution:
        axis = int(np.argmax(np.abs(after - before)))
        return NoSolution(
            f"the line cannot be followed without a jump {describe_part(self._parts[-1])}",
            where=self._limits.describe_axis(axis),
            value=self._limits.describe_value(axis, after[axis] - before[axis]),
            limit="no jump",
            remedy=_REMEDY,
        )


def describe_part(part: float) -> str:
    """Where on a line."""
    return f"after {100.0 * part:.1f} % of the way"


def is_near(a: Pose, b: Pose, metres: float, radians: float) -> bool:
    """Whether two poses are close; for the small angles of interest, a chord of the rotation is its angle."""
    turned = a.rotation - b.rotation
    apart = a.position - b.position
    return apart.dot(apart) <= metres**2 and 0.5 * (turned * turned).sum() <= radians**2


def _is_even(first: FloatArray, middle: FloatArray, last: FloatArray) -> bool:
    there, back = middle - first, last - middle
    return (
        np.abs(there).max() <= _MOST_TURN
        and np.abs(back).max() <= _MOST_TURN
        and np.abs(back - there).max() <= 2.0 * _MOST_BEND
    )


def _join(parts: Sequence[float], knots: Sequence[FloatArray]) -> Piecewise:
    """The spline of continuous second derivative, with the end slopes of the cubics through four knots."""
    x, y = np.array(parts), np.array(knots)
    first, last = _compute_slope(x[:4], y[:4]), _compute_slope(x[:-5:-1], y[:-5:-1])
    return Piecewise(x, y, compute_smooth_velocities(x, y, first, last))


def _compute_slope(x: FloatArray, y: FloatArray) -> FloatArray:
    """The slope at the first of four points, by Newton's divided differences."""
    one = np.diff(y, axis=0) / np.diff(x)[:, None]
    two = np.diff(one, axis=0) / (x[2:] - x[:-2])[:, None]
    three = (two[1] - two[0]) / (x[3] - x[0])
    return one[0] + (x[0] - x[1]) * (two[0] + (x[0] - x[2]) * three)
