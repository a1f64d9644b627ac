"""How fast the tips may be: 250 mm/s until the holder asks for more, kept every tick through the path rate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from telecell.control.arm import Arm
from telecell.control.monitors import Finding
from telecell.kinematics.tips import Tips

Array = NDArray[np.float64]

TIP_SPEED_M_S, FASTEST_TIP_M_S = 0.25, 10.0
"""How fast a tip may be until its holder asks for more, and the most that can be asked for."""

MEASURED_SHARE = 1.25
MEASURED_NOISE_M_S = 0.05
"""A measured tip speed beyond these is more than servo errors and encoder counts explain."""


class TipGuard:
    """Keeps the speed of every tip frame.

    Attributes:
        speeds: what each of them may do, m/s.
    """

    def __init__(self, tips: Tips, arms: list[Arm]):
        self._tips = tips
        self._arms = arms
        self.speeds = np.full(len(tips.frames), TIP_SPEED_M_S)
        self._newest: Array | None = None

    def forget(self) -> None:
        """The set-points are not those that were last asked for."""
        self._newest = None

    def lower(self, mask: NDArray[np.bool_]) -> None:
        """Back to what everybody starts with, for every tip that one of these axes moves."""
        self.speeds[(self._tips.moved_by & mask).any(axis=1)] = TIP_SPEED_M_S

    def set_speed(self, arm: Arm, speed_m_s: float) -> None:
        """Set the speed for the tip of a robot, and of the robots that are parts of it."""
        for other, tip in zip(self._arms, self._tips.of_robot, strict=True):
            if not (other.mask & ~arm.mask).any():
                self.speeds[tip] = speed_m_s

    def get_speed(self, arm: Arm) -> float:
        """What the tip of a robot may do, m/s."""
        return float(self.speeds[self._tips.of_robot[self._arms.index(arm)]])

    def compute_excess(self, arm: Arm, joints: Array, positions: Array, velocities: Array) -> float:
        """The greatest tip speed on a robot's way, as a share of what is allowed.

        Args:
            arm: the robot; the rest of the cell stands.
            joints: where all axes are.
            positions: (k, n) where the robot's axes come by.
            velocities: (k, n) and how fast.
        """
        joints, speed, excess = joints.copy(), np.zeros(len(joints)), 0.0
        for position, velocity in zip(positions, velocities, strict=True):
            joints[arm.index], speed[arm.index] = position, velocity
            shares = _measure(self._tips.compute_jacobians(joints), speed) / self.speeds
            excess = max(excess, float(shares.max(initial=0.0)))
        return excess

    def find_excess(self, joints: Array, velocities: Array) -> Iterator[tuple[Arm, float]]:
        """Robots that have to be slower, and by which factor, with all axes taken together."""
        self._newest = self._tips.compute_jacobians(joints)
        shares = _measure(self._newest, velocities) / self.speeds
        if shares.max(initial=0.0) <= 1.0:
            return
        for arm in self._arms:
            if arm.motion.active and not arm.motion.braking:
                moved = (self._tips.moved_by & arm.mask).any(axis=1)
                excess = float(shares[moved].max(initial=0.0))
                if excess > 1.0:
                    yield arm, 1.0 / excess

    def find_too_fast(self, joints: Array, velocities: Array, v_measured: Array) -> Finding | None:
        """A tip that is measured to be faster than it may, and faster than it was told to be.

        A limit that is lowered in motion is reached on a ramp; until then the set-points are above it.

        Args:
            joints: the newest set-points, those that `find_excess` was last asked for.
            velocities: and theirs.
            v_measured: what came of them.
        """
        if self._newest is None:
            self._newest = self._tips.compute_jacobians(joints)
        found = _measure(self._newest, v_measured)
        allowed = np.maximum(self.speeds, _measure(self._newest, velocities))
        for tip in np.flatnonzero(found > MEASURED_SHARE * allowed + MEASURED_NOISE_M_S):
            speed, limit = found[tip], allowed[tip]
            reason = f"frame {self._tips.frames[tip]} moves at {speed:.3f} m/s, limit {limit:.3f} m/s"
            return Finding("speed_limit", self._tips.moved_by[tip], reason)
        return None


def _measure(jacobians: Array, velocities: Array) -> Array:
    return np.sqrt(((jacobians @ velocities) ** 2).sum(axis=1))
