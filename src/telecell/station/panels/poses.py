"""Named poses of the chosen robot."""

from __future__ import annotations

import viser

from telecell.messages.moves import Home, MoveNamed
from telecell.messages.settings import DeletePose, SavePose
from telecell.models import Robot
from telecell.station.commander import Commander
from telecell.station.panels.panel import Later
from telecell.station.state import StationState

HOME = "Home"
NONE_SAVED: str = "none yet"


class PosesPanel:
    """Buttons for the poses of the cell file, and a folder for those that people save.

    Attributes:
        saved: the choice among the saved poses.
        name: under which the present posture is saved.
    """

    period_s = 0.1

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later):
        self._state = state
        self._commander = commander
        self._later = later
        self._shown: Robot | None = None
        self._groups = {robot.name: self._add_group(gui, robot) for robot in state.cell.robots}
        with gui.add_folder("Saved poses", expand_by_default=False, visible=bool(state.cell.robots)):
            self.saved = gui.add_dropdown("Saved", (NONE_SAVED,))
            self._add_buttons(gui, "Chosen pose", ("Go", "Delete"))
            self.name = gui.add_text("New name", "")
            self._add_buttons(gui, "Present posture", ("Save",))

    def _add_group(self, gui: viser.GuiApi, robot: Robot) -> viser.GuiButtonGroupHandle:
        group = gui.add_button_group("Poses", (HOME, *robot.poses), visible=False)

        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                self._later(self.go, robot, event.target.value, event.client_id)

        return group

    def _add_buttons(self, gui: viser.GuiApi, label: str, options: tuple[str, ...]) -> None:
        group = gui.add_button_group(label, options)

        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                self._later(self.press, event.target.value, event.client_id)

    def go(self, robot: Robot, pose: str, client_id: int) -> None:
        """A person wants a robot to take a pose; the cell knows which there are."""
        if pose == HOME:
            self._commander.ask(Home, client_id, robot=robot.name)
        else:
            self._commander.ask(MoveNamed, client_id, robot=robot.name, pose=pose)

    def press(self, option: str, client_id: int) -> None:
        """A person wants something of the saved poses."""
        robot, chosen = self._state.robot, self.saved.value
        if robot is None:
            return
        if option == "Save":
            self._commander.ask(SavePose, client_id, robot=robot.name, name=self.name.value)
        elif option == "Delete":
            self._commander.ask(DeletePose, client_id, robot=robot.name, name=chosen)
        elif option == "Go":
            self.go(robot, chosen, client_id)

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Follow the choice of the robot, and what was saved."""
        robot = self._state.robot
        if robot is not self._shown:
            self._shown = robot
            for name, group in self._groups.items():
                group.visible = robot is not None and name == robot.name
        saved = self._state.saved_poses.get(robot.name, ()) if robot else ()
        options = saved or (NONE_SAVED,)
        if self.saved.options != options:
            self.saved.options = options
