"""Control, power and motion of the chosen robot, and what has happened last."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import viser

from telecell.errors import TelecellError
from telecell.messages import Request
from telecell.messages.settings import Power, SetSpeedFactor
from telecell.messages.stopping import Halt, Pause, Reset, Resume
from telecell.station.commander import Commander
from telecell.station.news import News
from telecell.station.panels.following_input import FollowingInput
from telecell.station.panels.panel import Later
from telecell.station.panels.table import Row, write_log, write_table
from telecell.station.sharing import Sharing
from telecell.station.state import StationState
from telecell.station.units import write_time
from telecell.station.wording import get_stop_remedy, get_stop_title

SCOPES = {"the whole cell": True, "the chosen robot": False}
TAKE, ASK, RELEASE = "Take control", "Ask", "Release"
POWER = {"Power on": True, "Power off": False}
MOTION: dict[str, type[Request]] = {"Pause": Pause, "Resume": Resume, "Halt": Halt}
RESET = "Reset"

SLOWEST_PERCENT = 5
SHOWN_EVENTS = 12


class ControlPanel:
    """Buttons for whatever comes before and after motion, the mode, and the last events.

    Attributes:
        scope: of what control is taken and given back.
        text: who has control, and what the robot does.
        events: what has happened last.
        speed: the speed factor, in percent.
    """

    period_s = 0.1

    def __init__(
        self,
        gui: viser.GuiApi,
        state: StationState,
        commander: Commander,
        sharing: Sharing,
        news: News,
        later: Later,
    ):
        self._state = state
        self._commander = commander
        self._sharing = sharing
        self._news = news
        self._later = later
        self._changing_speed = False
        with gui.add_folder("Control", visible=state.robot is not None):
            self.text = gui.add_html("")
            self.scope = gui.add_dropdown("Control of", tuple(SCOPES), visible=len(state.cell.robots) > 1)
            self._add_group(gui, "Control", (TAKE, ASK, RELEASE))
            self._add_group(gui, "Power", tuple(POWER))
            self._add_group(gui, "Motion", (*MOTION, RESET))
            self.speed = FollowingInput(gui.add_slider("Speed, %", SLOWEST_PERCENT, 100, 1, 100))
            self.events = gui.add_html("")

        @self.scope.on_update
        async def _(event: viser.GuiEvent) -> None:
            later(self.choose_scope, event.target.value)

        @self.speed.handle.on_update
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:  # a person, not this panel itself
                later(self.set_speed, event.target.value, event.client_id)

    def _add_group(self, gui: viser.GuiApi, label: str, options: tuple[str, ...]) -> None:
        group = gui.add_button_group(label, options)

        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                self._later(self.press, event.target.value, event.client_id)

    def press(self, option: str, client_id: int) -> None:
        """A person has pressed one of the buttons; the browser may send anything else, too."""
        robot, scope = self._state.robot, self._state.scope
        if option == TAKE:
            self._sharing.take(scope, client_id)
        elif option == ASK:
            self._sharing.wait(scope, client_id)
        elif option == RELEASE:
            self._sharing.release(scope, client_id)
        elif robot is not None and option == RESET:
            self._commander.ask(Reset, client_id, grant=self._state.find_grant(set(robot.axis_names)))
        elif robot is not None and option in POWER:
            self._commander.ask(Power, client_id, robot=robot.name, on=POWER[option])
        elif robot is not None and option in MOTION:
            self._commander.ask(MOTION[option], client_id, robot=robot.name)

    def choose_scope(self, option: str) -> None:
        """A person wants control of more or less than before."""
        self._state.whole_cell = SCOPES.get(option, self._state.whole_cell)

    def set_speed(self, percent: float, client_id: int) -> None:
        """A person wants the robot faster or slower."""
        if self._state.robot is None or not math.isfinite(percent):  # the browser may send anything
            self.speed.put(self.speed.shown)
            return
        wanted = min(max(round(percent), SLOWEST_PERCENT), 100)
        self.speed.touch(percent, wanted)
        self._changing_speed = True
        self._commander.ask(
            SetSpeedFactor, client_id, self._note_speed, robot=self._state.robot.name, factor=wanted / 100
        )

    def _note_speed(self, _value: Any, _error: TelecellError | None) -> None:
        self._changing_speed = False

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest state and events."""
        robot = self._state.get_chosen()
        if robot is None:
            return
        self.text.content = write_table(self._describe())
        self.events.content = write_log("events", islice(self._list_events(), SHOWN_EVENTS))
        self.speed.follow(round(100 * robot.speed_factor), busy=self._changing_speed)

    def _describe(self) -> Iterator[Row]:
        robot = self._state.get_chosen()
        if robot is None:
            return
        yield Row("holder", f"Who has control of {robot.name}", robot.holder or "nobody")
        place = self._sharing.get_place(self._state.scope)
        if place is not None:
            yield Row("place", "Our place in the queue", f"{place}")
        yield Row("mode", f"What {robot.name} does", robot.mode)
        cause = self._state.find_stop()
        if cause is not None:
            yield Row("stop", "Stopped by", get_stop_title(cause))
            yield Row("remedy", "Cleared by", get_stop_remedy(cause))

    def _list_events(self) -> Iterator[tuple[str, str]]:
        """Newest first."""
        for line in reversed(self._news.recent):
            yield write_time(self._state.compute_time_s(line.tick)), line.text
