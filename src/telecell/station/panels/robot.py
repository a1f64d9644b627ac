"""Which robot the page commands."""

from __future__ import annotations

import viser

from telecell.models import Robot
from telecell.station.panels.panel import Later
from telecell.station.state import StationState


class RobotPanel:
    """The choice of the robot. The other panels follow it."""

    period_s = 1.0

    def __init__(self, gui: viser.GuiApi, state: StationState, later: Later):
        self._state = state
        self._names = {_write(robot): robot.name for robot in state.cell.robots}
        if state.robot is None:
            gui.add_markdown("This cell has no robots: its file has no `[[robots]]`.")
            return
        self._choice = gui.add_dropdown("Robot", tuple(self._names), initial_value=_write(state.robot))

        @self._choice.on_update
        async def _(event: viser.GuiEvent) -> None:
            later(self.choose, event.target.value)

    def choose(self, option: str) -> None:
        """A person wants to command another robot."""
        if option in self._names:  # the browser may send anything
            self._state.choose_robot(self._names[option])

    def update(self, now_s: float) -> None:
        """Nothing moves here."""


def _write(robot: Robot) -> str:
    return f"{robot.name} · {robot.title}" if robot.title and robot.title != robot.name else robot.name
