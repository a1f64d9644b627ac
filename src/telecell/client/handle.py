"""What every part of a robot's handle builds on."""

from __future__ import annotations

from typing import Any

from telecell.client.segment import MOTION_TIMEOUT_S
from telecell.client.session import Session
from telecell.messages import Request, RobotState
from telecell.messages.replies import RobotEntry


class Handle:
    """A robot of a cell, seen from a program.

    Attributes:
        name: of the robot.
        axes: names of its axes.
    """

    def __init__(self, session: Session, entry: RobotEntry):
        self._session = session
        self._tool = entry.tool
        self.name = entry.name
        self.axes = entry.axes

    def _ask(self, kind: type[Request], **fields: Any) -> Any:
        return self._session.ask(kind, robot=self.name, **fields)

    @property
    def mode(self) -> str:
        """What it is doing: `off`, `holding`, `moving`, `tracking`, `free`, `stopping` or `stopped`."""
        return self._session.get_mode(self.name)

    @property
    def state(self) -> RobotState:
        """Its mode, queue, rate, speed factor and tip."""
        return next(robot for robot in self._session.transport.state().robots if robot.name == self.name)

    def wait_until_still(self, timeout_s: float = MOTION_TIMEOUT_S) -> None:
        """Let time pass until it stands, for whatever reason.

        Raises:
            DeadlineExceeded: it does not in time (of the cell).
        """
        self._session.wait_until_still(self.name, timeout_s)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.mode}>"
