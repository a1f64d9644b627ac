"""Named poses of the chosen robot."""

from __future__ import annotations

import viser

from telecell.models import Robot
from telecell.station.commander import Commander
from telecell.station.panels.panel import Later
from telecell.station.state import StationState


class PosesPanel:
    """One button per named pose."""

    period_s = 0.1

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later):
        self._state = state
        self._commander = commander
        self._shown: Robot | None = None
        self._groups: dict[str, viser.GuiButtonGroupHandle] = {}
        with_poses = [robot for robot in state.cell.robots if robot.poses]
        for robot in with_poses:
            group = gui.add_button_group("Poses", tuple(robot.poses), visible=False)
            self._groups[robot.name] = group
            self._connect(group, robot, later)

    def _connect(self, group: viser.GuiButtonGroupHandle, robot: Robot, later: Later) -> None:
        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                later(self.go, robot, event.target.value, event.client_id)

    def go(self, robot: Robot, pose: str, client_id: int) -> None:
        """A person wants a robot to take a pose."""
        if pose in robot.poses:  # the browser may send anything
            targets = dict(zip(robot.axis_names, robot.poses[pose], strict=True))
            self._commander.move_axes(targets, client_id)

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Follow the choice of the robot."""
        if self._state.robot is not self._shown:
            self._shown = self._state.robot
            for name, group in self._groups.items():
                group.visible = self._shown is not None and name == self._shown.name
