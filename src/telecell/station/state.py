"""What the page knows: the newest state of the cell, and which robot its person has chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from telecell.client.link import LinkState
from telecell.messages import AxisState, CellState, Grant, GrantState, RobotState
from telecell.messages.replies import RobotEntry
from telecell.models import Cell, Robot

STALE_AFTER_S = 1.0

Scope = tuple[str, ...]
"""Names of robots; none for the whole cell."""


class StationState:
    """The newest state of a cell, looked up by name.

    Args:
        cell: the description.
        sender: by which the cell tells this page from others.
        newest: what the cell has reported so far.

    Attributes:
        cell: the description.
        robot: the one that the page commands.
        whole_cell: whether control is asked for of all robots, or of the chosen one.
        newest: what the cell last reported.
        link: how good the way to the cell is.
        own_grants: what this page may command, as the cell says.
        saved_poses: names that users have given, by robot.
    """

    def __init__(self, cell: Cell, sender: str, newest: CellState):
        self.cell = cell
        self.robot: Robot | None = max(cell.robots, key=lambda robot: len(robot.axes), default=None)
        self.whole_cell = True
        self.link = LinkState()
        self.saved_poses: dict[str, tuple[str, ...]] = {}
        self._sender = sender
        self.take(newest)

    def take(self, state: CellState) -> None:
        """A new report has come in."""
        self.newest = state
        self.own_grants: dict[Grant, GrantState] = {
            Grant(state.epoch, grant.tenure): grant for grant in state.grants if grant.sender == self._sender
        }
        self._axes = {axis.name: axis for axis in state.axes}
        self._robots = {robot.name: robot for robot in state.robots}

    def take_poses(self, robots: Iterable[RobotEntry]) -> None:
        """The cell has told which poses its robots know."""
        for entry in robots:
            own = self.cell.get_robot(entry.name).poses
            self.saved_poses[entry.name] = tuple(sorted(pose for pose in entry.poses if pose not in own))

    # The choice of the robot

    def choose_robot(self, name: str) -> None:
        """Command another robot from now on.

        Raises:
            UnknownName: no such robot.
        """
        self.robot = self.cell.get_robot(name)

    @property
    def scope(self) -> Scope:
        """Of what control is asked for and given back."""
        return () if self.whole_cell or self.robot is None else (self.robot.name,)

    # Grants

    def list_axes(self, scope: Scope) -> set[str]:
        """The names of the axes of these robots."""
        if not scope:
            return {axis.name for axis in self.cell.axes}
        return {axis for name in scope for axis in self.cell.get_robot(name).axis_names}

    def list_overlapping(self, scope: Scope) -> list[Grant]:
        """The page's grants that have an axis of these robots."""
        axes = self.list_axes(scope)
        return [grant for grant, held in self.own_grants.items() if axes.intersection(held.axes)]

    def find_grant(self, axes: set[str]) -> Grant | None:
        """The page's grant for all of these axes."""
        return next((grant for grant, held in self.own_grants.items() if axes.issubset(held.axes)), None)

    def choose_grant(self, fields: Mapping[str, Any]) -> Grant | None:
        """The grant for a command with these fields; where none covers its robot, the cell says what is missing."""
        robots = [
            robot
            for robot in self.cell.robots
            if robot.name == fields.get("robot") or (robot.tool is not None and robot.tool == fields.get("tool"))
        ]
        covering = (self.find_grant(set(robot.axis_names)) for robot in robots)
        return next(filter(None, covering), None) or next(iter(self.own_grants), None)

    # Looking up

    def get_axis(self, name: str) -> AxisState | None:
        """The state of an axis, None if the cell has none of that name."""
        return self._axes.get(name)

    def get_chosen(self) -> RobotState | None:
        """The state of the chosen robot, None in a cell without robots."""
        return self.get_robot(self.robot.name) if self.robot else None

    def find_stop(self) -> str | None:
        """The cause that keeps an axis of the chosen robot stopped, if one does."""
        axes = (self.get_axis(name) for name in self.robot.axis_names) if self.robot else ()
        return next((axis.stopped for axis in axes if axis is not None and axis.stopped is not None), None)

    def get_robot(self, name: str) -> RobotState | None:
        """The state of a robot, None if the cell has none of that name."""
        return self._robots.get(name)

    def compute_time_s(self, tick: int) -> float:
        """When a tick was, in simulated seconds."""
        return self.newest.time_s * tick / self.newest.tick if self.newest.tick else 0.0

    @property
    def silence_s(self) -> float:
        """Seconds without news, 0 while they come as they should."""
        return self.link.age_s if self.link.age_s > STALE_AFTER_S else 0.0
