"""A page and the cell that it talks to, in one process."""

import math
import threading
from collections.abc import Callable
from typing import TypeVar

import viser

from telecell.clock import ManualClock
from telecell.messages import LoopState
from telecell.messages.moves import MoveJointsBy
from telecell.runtime import RunningCell
from telecell.servers.cell_server import CellServer, RequestLink
from telecell.station.page import Page
from telecell.station.panels import ControlPanel, JointsPanel

PanelType = TypeVar("PanelType")

TICKS_PER_BEAT = 10
"""The page is slower here than in life, so that tests are quicker."""

CLIENT = 0
"""Somebody who has the page open, without a browser."""

WAIST = "left_puma/waist"
RIGHT_WAIST = "right_puma/waist"


class People:
    """The audience in memory: who is here, and what they were told."""

    def __init__(self) -> None:
        self.here = {CLIENT}
        self.notes: list[tuple[int | None, str]] = []

    def is_here(self, client: int) -> bool:
        return client in self.here

    def tell(self, client: int | None, title: str, text: str) -> None:
        self.notes.append((client, text))


class Bench:
    """A page on a real web server, and a cell server on a fake plant that it talks to, stepped together by hand."""

    def __init__(
        self,
        page: Page,
        server: viser.ViserServer,
        running: RunningCell,
        link: RequestLink,
        clock: ManualClock,
        people: People,
    ):
        self.page = page
        self.server = server
        self.running = running
        self.link = link
        self.clock = clock
        self.people = people
        self._cell_server = CellServer(running, clock, link)
        page.greet()

    def get_panel(self, kind: type[PanelType]) -> PanelType:
        return next(panel for panel in self.page.panels if isinstance(panel, kind))

    def wait_for_client(self) -> int:
        """The number of the first browser, once it has come in."""
        arrived = threading.Event()
        self.server.on_client_connect(lambda _: arrived.set())
        assert arrived.wait(60)
        return next(iter(self.server.get_clients()))

    def close_browser(self, close: Callable[[], None]) -> None:
        """Close the browser and wait until the server has noticed: it ends without open connections."""
        gone = threading.Event()
        self.server.on_client_disconnect(lambda _: gone.set())
        close()
        assert gone.wait(60)

    def run(self, seconds: float) -> None:
        """A beat of the page after every few ticks of the cell."""
        for _ in range(round(seconds / (TICKS_PER_BEAT * self.running.plant.period_s))):
            self.page.step(self.clock.now())
            for _ in range(TICKS_PER_BEAT):
                self.clock.advance(self.running.plant.period_s)
                self._cell_server.tick(LoopState())
        self.page.step(self.clock.now())

    def press(self, *options: str) -> None:
        """Press buttons of the control panel, one after the other."""
        for option in options:
            self.get_panel(ControlPanel).press(option, CLIENT)
            self.run(0.2)

    def get_ready(self) -> None:
        """What a person does first."""
        self.run(0.2)
        self.press("Take control", "Power on")
        assert self.get_mode() == "holding"

    def get_mode(self) -> str:
        """Of the robot that the page has chosen at first."""
        return next(robot.mode for robot in self.running.state().robots if robot.name == "FL")


def get_waist_deg(bench: Bench) -> float:
    return math.degrees(next(a.q_measured for a in bench.running.state().axes if a.name == WAIST))


def get_text(bench: Bench, kind) -> str:
    return bench.get_panel(kind).text.content


def get_events(bench: Bench) -> str:
    return bench.get_panel(ControlPanel).events.content


def slide(bench: Bench, shown: float, axis: str = WAIST) -> None:
    """What viser does when a person moves a slider."""
    joints = bench.get_panel(JointsPanel)
    joints.sliders[axis].value = shown
    joints.move(bench.running.cell.get_axis(axis), shown, CLIENT)


def move_by(bench: Bench, waist_deg: float) -> None:
    """The robot FL moves by itself, not by its sliders."""
    increments = [0.0] * 9
    increments[3] = math.radians(waist_deg)
    bench.page.commander.ask(MoveJointsBy, CLIENT, robot="FL", increments=tuple(increments))
