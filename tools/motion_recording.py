"""A PUMA that moves, and what its controller sent: the curves of docs/motion.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from telecell.geometry import FloatArray
from telecell.messages import Refused, Request, granting, moves, settings
from telecell.runtime import start_cell

LONGEST_S = 60.0
READY = (0.0, -90.0, 90.0, 0.0, 0.0, 0.0)
"""The joint values of the pose `ready`, deg."""


class Recording:
    """One robot of a cell on the fake plant, with control taken and power on, and its curves.

    Args:
        tip_speed_m_s: how fast the tip may move.
        joints_deg: where the recording begins.

    Attributes:
        core: the controller.
        arm: the robot in it.
        period_s: the control period.
    """

    def __init__(self, tip_speed_m_s: float = 0.25, joints_deg: tuple[float, ...] = READY):
        self._running = start_cell("puma", plant="fake", keep_poses=False)
        self.core, self.period_s = self._running.controller, self._running.plant.period_s
        self.arm = self.core.arms["puma"]
        self._sequence, self._grant, self._rows = 0, None, []
        self._grant = self.ask(granting.Acquire, holder="recorder", source="inside").grants[0].grant
        self.ask(settings.Power, on=True)
        self.run(0.02)
        self.ask(moves.MoveJoints, joints=tuple(np.radians(joints_deg)))
        self.run_to_rest()
        self.begin(tip_speed_m_s)

    def begin(self, tip_speed_m_s: float) -> None:
        """Begin the curves anew, with another speed of the tip."""
        self.ask(settings.SetTipSpeed, speed_m_s=tip_speed_m_s)
        self._rows.clear()

    # What is asked

    def tell(self, kind: type[Request], **fields: Any) -> None:
        """Send a request with the coming tick."""
        self._sequence += 1
        if "robot" in kind.__struct_fields__:
            fields["robot"] = "puma"
        request: Any = kind(sequence=self._sequence, grant=self._grant, echo=self._running.tick, **fields)
        self._running.submit(request)

    def ask(self, kind: type[Request], **fields: Any) -> Any:
        """Send a request, go on by one tick, and return the reply.

        Raises:
            TelecellError: the request was refused.
        """
        self.tell(kind, **fields)
        return self.step()[-1]

    # Time

    @property
    def time_s(self) -> float:
        """Since the recording began."""
        return len(self._rows) * self.period_s

    def step(self) -> tuple[Any, ...]:
        """Go on by one tick, and return the replies.

        Raises:
            TelecellError: a request was refused.
        """
        replies, _ = self._running.step()
        for reply in replies:
            if isinstance(reply, Refused):
                raise reply.error.to_error()
        axes = self.core.axes
        tip = self.core.tips.compute_jacobians(axes.q_desired)[0] @ axes.v_desired
        self._rows.append((axes.q_desired.copy(), axes.v_desired.copy(), self.arm.motion.rate.state.rate, tip))
        return replies

    def run(self, duration_s: float) -> None:
        """Go on for a time."""
        for _ in range(round(duration_s / self.period_s)):
            self.step()

    def run_to_rest(self, then_s: float = 0.0) -> None:
        """Go on until the robot stands, and a little longer."""
        while self.arm.motion.active and self.time_s < LONGEST_S:
            self.step()
        self.run(then_s)

    # Curves, one row per tick

    @property
    def times_s(self) -> FloatArray:
        """When."""
        return self.period_s * np.arange(len(self._rows), dtype=np.float64)

    @property
    def positions_deg(self) -> FloatArray:
        """Set-points of the axes."""
        return np.degrees(np.array([row[0] for row in self._rows]))

    @property
    def speeds_deg_s(self) -> FloatArray:
        """Their velocities."""
        return np.degrees(np.array([row[1] for row in self._rows]))

    @property
    def accelerations_deg_s2(self) -> FloatArray:
        """Change of the velocities from tick to tick."""
        speeds = self.speeds_deg_s
        return np.vstack([np.zeros_like(speeds[:1]), np.diff(speeds, axis=0)]) / self.period_s

    @property
    def rates(self) -> FloatArray:
        """The path rate."""
        return np.array([row[2] for row in self._rows])

    @property
    def tip_speeds_mm_s(self) -> FloatArray:
        """Of the robot's tip frame."""
        return 1000.0 * np.linalg.norm([row[3] for row in self._rows], axis=1)
