"""What the page knows: the newest state of the cell, and which robot its person has chosen."""

from __future__ import annotations

from collections.abc import Iterable

from telecell.messages import AxisState, CellState, RobotState
from telecell.messages.replies import RobotEntry
from telecell.models import Cell, Robot

STALE_AFTER_S = 1.0


class StationState:
    """The newest state of a cell, looked up by name.

    Attributes:
        cell: the description.
        robot: the one that the page commands.
        newest: what the cell last reported; None before its first report.
        saved_poses: names that users have given, by robot.
    """

    def __init__(self, cell: Cell):
        self.cell = cell
        self.robot: Robot | None = max(cell.robots, key=lambda robot: len(robot.axes), default=None)
        self.newest: CellState | None = None
        self.saved_poses: dict[str, tuple[str, ...]] = {}
        self._axes: dict[str, AxisState] = {}
        self._robots: dict[str, RobotState] = {}
        self._received_s = 0.0

    def take(self, state: CellState, now_s: float) -> None:
        """A new report has come in."""
        self.newest = state
        self._axes = {axis.name: axis for axis in state.axes}
        self._robots = {robot.name: robot for robot in state.robots}
        self._received_s = now_s

    def take_poses(self, robots: Iterable[RobotEntry]) -> None:
        """The cell has told which poses its robots know."""
        for entry in robots:
            own = self.cell.get_robot(entry.name).poses
            self.saved_poses[entry.name] = tuple(sorted(pose for pose in entry.poses if pose not in own))

    def choose_robot(self, name: str) -> None:
        """Command another robot from now on.

        Raises:
            UnknownName: no such robot.
        """
        self.robot = self.cell.get_robot(name)

    def get_axis(self, name: str) -> AxisState | None:
        """The state of an axis, None before the first report."""
        return self._axes.get(name)

    def get_chosen(self) -> RobotState | None:
        """The state of the chosen robot, None before the first report."""
        return self.get_robot(self.robot.name) if self.robot else None

    def find_stop(self) -> str | None:
        """The cause that keeps an axis of the chosen robot stopped, if one does."""
        axes = (self.get_axis(name) for name in self.robot.axis_names) if self.robot else ()
        return next((axis.stopped for axis in axes if axis is not None and axis.stopped is not None), None)

    def get_robot(self, name: str) -> RobotState | None:
        """The state of a robot, None before the first report."""
        return self._robots.get(name)

    def compute_time_s(self, tick: int) -> float:
        """When a tick was, in simulated seconds."""
        newest = self.newest
        return newest.time_s * tick / newest.tick if newest is not None and newest.tick else 0.0

    def compute_silence_s(self, now_s: float) -> float:
        """Seconds without news, 0 while they come as they should."""
        silence = now_s - self._received_s
        return silence if self.newest is None or silence > STALE_AFTER_S else 0.0
