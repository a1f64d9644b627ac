"""What the page knows: the newest state of the cell, and which robot its person has chosen."""

from __future__ import annotations

from telecell.messages import AxisState, CellState, RobotState
from telecell.models import Cell, Robot

STALE_AFTER_S = 1.0


class StationState:
    """The newest state of a cell, looked up by name.

    Attributes:
        cell: the description.
        robot: the one that the page commands.
        newest: what the cell last reported; None before its first report.
    """

    def __init__(self, cell: Cell):
        self.cell = cell
        self.robot: Robot | None = max(cell.robots, key=lambda robot: len(robot.axes), default=None)
        self.newest: CellState | None = None
        self._axes: dict[str, AxisState] = {}
        self._robots: dict[str, RobotState] = {}
        self._received_s = 0.0

    def take(self, state: CellState, now_s: float) -> None:
        """A new report has come in."""
        self.newest = state
        self._axes = {axis.name: axis for axis in state.axes}
        self._robots = {robot.name: robot for robot in state.robots}
        self._received_s = now_s

    def choose_robot(self, name: str) -> None:
        """Command another robot from now on.

        Raises:
            UnknownName: no such robot.
        """
        self.robot = self.cell.get_robot(name)

    def get_axis(self, name: str) -> AxisState | None:
        """The state of an axis, None before the first report."""
        return self._axes.get(name)

    def get_robot(self, name: str) -> RobotState | None:
        """The state of a robot, None before the first report."""
        return self._robots.get(name)

    def compute_silence_s(self, now_s: float) -> float:
        """Seconds without news, 0 while they come as they should."""
        silence = now_s - self._received_s
        return silence if self.newest is None or silence > STALE_AFTER_S else 0.0
