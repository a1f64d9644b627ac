"""The poses along a straight line of the tip."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from telecell.geometry import Pose, skew, vector_from_rotation


class TipLine:
    """A straight way of a tool frame that turns at a constant rate about one fixed axis, the shorter way round.

    Attributes:
        length_m: of the way.
        angle_rad: of the turn.
    """

    def __init__(self, start: Pose, target: Pose, tip_offset: Pose):
        """Lay the line.

        Args:
            start: first pose of the tool frame in the chain's base frame.
            target: its last pose.
            tip_offset: pose of the tool frame in the frame of the chain's tip.
        """
        self._start, self._way = start, target.position - start.position
        turn = vector_from_rotation(start.rotation.T @ target.rotation)
        self.length_m, self.angle_rad = float(np.linalg.norm(self._way)), float(np.linalg.norm(turn))
        axis = skew(turn / self.angle_rad if self.angle_rad > 0.0 else turn)
        # Rodrigues' formula: R0 (1 + sin(a) K + (1 - cos(a)) K²).
        self._sine, self._versine = start.rotation @ axis, start.rotation @ axis @ axis
        self._to_tip = tip_offset.inverse()

    def compute_pose(self, part: float) -> Pose:
        """The pose of the chain's tip at a part of the line, 0 to 1."""
        angle = part * self.angle_rad
        rotation = self._start.rotation + sin(angle) * self._sine + (1.0 - cos(angle)) * self._versine
        return Pose.trusted(rotation, self._start.position + part * self._way) @ self._to_tip
