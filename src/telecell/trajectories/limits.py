"""How far and how fast the axes of one robot may move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import degrees
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, JointOutOfRange
from telecell.geometry import FloatArray
from telecell.models import Axis

ROUNDING = 1e-6
"""Rad or m by which a value may leave a limit because one of them was rounded; goals are put on the limit."""

LARGEST = 1e6
"""No position, velocity, time or limit of a robot is larger in SI units; below it, formulas stay finite."""

SLOWEST = 1e-6
"""The smallest part of the full speed that counts as motion."""


@dataclass(frozen=True, eq=False)
class MotionLimits:
    """Limits of an ordered set of axes; hinges in rad, slides in m, and seconds. All arrays are read-only.

    Attributes:
        names: `<mount>/<joint>` of each axis.
        titles: what people call it.
        kinds: `"hinge"` or `"slide"`.
        position: (n, 2) lower and upper software limits.
        velocity: (n,) largest speed.
        acceleration: (n,) largest acceleration.
        jerk: (n,) largest jerk.
    """

    names: tuple[str, ...]
    titles: tuple[str, ...]
    kinds: tuple[Literal["hinge", "slide"], ...]
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    jerk: FloatArray

    def __post_init__(self) -> None:
        for array in (self.position, self.velocity, self.acceleration, self.jerk):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def from_axes(cls, axes: Sequence[Axis]) -> MotionLimits:
        """The limits of a robot's axes, or of any others, in their order."""
        return cls(
            names=tuple(axis.name for axis in axes),
            titles=tuple(axis.title for axis in axes),
            kinds=tuple(axis.kind for axis in axes),
            position=np.array([axis.software_limits for axis in axes]).reshape(-1, 2),
            velocity=np.array([axis.max_velocity for axis in axes]),
            acceleration=np.array([axis.max_acceleration for axis in axes]),
            jerk=np.array([axis.max_jerk for axis in axes]),
        )

    def scaled(self, speed: float) -> MotionLimits:
        """The same limits with a part of the velocity; acceleration and jerk stay, so motion remains crisp.

        Raises:
            InputError: the speed is not above 0 (at least `SLOWEST`) and at most 1.
        """
        if not SLOWEST <= speed <= 1.0:
            raise InputError(
                "speed is not a part of the full speed",
                value=speed,
                limit="above 0, at most 1",
                remedy="Give 0.5 for half of the full speed; pause the motion to stop it.",
            )
        return replace(self, velocity=self.velocity * speed)

    def validate_joints(self, values: ArrayLike, what: str) -> FloatArray:
        """A new array of one value per axis, inside the limits or not.

        Raises:
            JointOutOfRange: not numbers, of the wrong count, not finite, or above `LARGEST`.
        """
        try:
            array = np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            array = np.array(np.nan)
        if array.shape != (len(self),):
            raise JointOutOfRange(
                f"{what} must be {len(self)} numbers",
                value=values.tolist() if isinstance(values, np.ndarray) else values,
                remedy=f"Give radians for hinges and metres for slides, for: {', '.join(self.names)}.",
            )
        for axis, value in enumerate(array.tolist()):
            if not abs(value) <= LARGEST:  # also true for NaN
                raise JointOutOfRange(
                    f"{what} is not a number that a robot can have",
                    where=self.describe_axis(axis),
                    value=value,
                    limit=self.describe_range(axis, self.position[axis]),
                    remedy="Give a finite number of radians or metres.",
                )
        return array

    def compute_range(self, start: FloatArray) -> FloatArray:
        """(n, 2) where motion from a start may go: the limits, reaching out to a start that lies outside.

        So a robot outside its limits can always retreat, and never goes farther out.
        """
        lower, upper = self.position.T
        return np.stack([np.minimum(lower, start), np.maximum(upper, start)], axis=1)

    def validate_goal(self, start: ArrayLike, goal: ArrayLike) -> FloatArray:
        """The goal as a new array, put on the limit where it leaves it by no more than `ROUNDING`.

        Raises:
            JointOutOfRange: start or goal of the wrong count or not finite, or a goal outside the limits that is
                farther out than the start.
        """
        allowed = self.compute_range(self.validate_joints(start, "start"))
        array = self.validate_joints(goal, "goal")
        inside = np.clip(array, allowed[:, 0], allowed[:, 1])
        if (np.abs(array - inside) > ROUNDING).any():
            axis = int(np.argmax(np.abs(array - inside) > ROUNDING))
            raise self.build_refusal("goal outside the limits", axis, array[axis], allowed, "Choose a goal inside.")
        return inside

    def build_refusal(self, what: str, axis: int, value: float, allowed: FloatArray, remedy: str) -> JointOutOfRange:
        """The error for one axis that leaves its range, which may reach out to a start outside the limits."""
        return JointOutOfRange(
            what,
            where=self.describe_axis(axis),
            value=self.describe_value(axis, value),
            limit=self.describe_range(axis, allowed[axis]),
            remedy=remedy,
        )

    def describe_axis(self, axis: int) -> str:
        """An axis by number as people know it, for example `axis puma/waist (waist)`."""
        return f"axis {self.names[axis]} ({self.titles[axis]})"

    def describe_value(self, axis: int, value: float, per: str = "") -> str:
        """A value with its unit, degrees or metres; `per` makes it a rate: `"/s"`, `"/s²"`."""
        if self.kinds[axis] == "hinge":
            return f"{degrees(value):.3f} deg{per}"
        return f"{value:.4f} m{per}"

    def describe_range(self, axis: int, pair: FloatArray) -> str:
        """Lower and upper limit with their unit."""
        return f"{self.describe_value(axis, pair[0])} to {self.describe_value(axis, pair[1])}"
