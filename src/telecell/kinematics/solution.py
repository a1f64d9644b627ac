"""What inverse kinematics answers."""

from __future__ import annotations

import msgspec

from telecell.errors import NoSolution


class Solution(msgspec.Struct, frozen=True, gc=False):
    """One posture that takes the tip to the target.

    Attributes:
        joints: one value per axis, radians or metres.
        branch: names of the branch, for example `{"arm": "lefty", "elbow": "above", "wrist": "flip"}`; empty for
            arms that have none.
        inside_limits: whether every axis is within its limits.
        outside: names of the axes that are not.
        distance: weighted distance from the reference: the root of the sum of weight times squared motion.
        limits: lower and upper limit of each axis.
    """

    joints: tuple[float, ...]
    branch: dict[str, str]
    inside_limits: bool
    outside: tuple[str, ...]
    distance: float
    limits: tuple[tuple[float, float], ...]

    @property
    def limit_margins(self) -> tuple[float, ...]:
        """Distance of each axis to its nearest limit, radians or metres; negative outside."""
        pairs = zip(self.joints, self.limits, strict=True)
        return tuple(min(value - lower, upper - value) for value, (lower, upper) in pairs)


class InverseResult(msgspec.Struct, frozen=True):
    """The answer to one target.

    Attributes:
        robot: name of the robot.
        method: `"closed form"` (every solution) or `"numeric"` (one solution, near the reference).
        solutions: those inside the limits first, nearest to the reference first.
        reason: why no solution is inside the limits; empty if one is.
    """

    robot: str
    method: str
    solutions: tuple[Solution, ...]
    reason: str = ""

    @property
    def reachable(self) -> bool:
        """Whether there is a solution inside the limits."""
        return bool(self.solutions) and self.solutions[0].inside_limits

    @property
    def best(self) -> Solution:
        """The solution inside the limits that is nearest to the reference.

        Raises:
            NoSolution: there is none; the text says why.
        """
        if not self.reachable:
            raise NoSolution(self.reason, where=self.robot, remedy="Move the target, or ask for another branch.")
        return self.solutions[0]
