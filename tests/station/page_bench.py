"""A page and the cell that it talks to, in one process."""

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import viser

from telecell.bus import Keys, MemoryBroker, MemoryBus
from telecell.client.over_bus import BusTransport
from telecell.client.renewals import Renewing
from telecell.client.session import Session
from telecell.clock import ManualClock
from telecell.messages import LoopState
from telecell.messages.granting import Source
from telecell.messages.moves import MoveJointsBy
from telecell.models import load_cell
from telecell.runtime import start_cell
from telecell.servers.cell_port import CellPort
from telecell.servers.cell_server import CellServer
from telecell.station.audience import Audience
from telecell.station.page import Page
from telecell.station.panels import ControlPanel, JointsPanel

PanelType = TypeVar("PanelType")

TICKS_PER_BEAT = 10
"""The page is slower here than in life, so that tests are quicker."""

CLIENT = 0
"""Somebody who has the page open, without a browser."""

OTHER = 1
"""Somebody else."""

WAIST = "left_puma/waist"
RIGHT_WAIST = "right_puma/waist"


class People:
    """The audience in memory: who is here, and what they were told."""

    def __init__(self) -> None:
        self.here = {CLIENT, OTHER}
        self.notes: list[tuple[int | None, str]] = []

    def is_here(self, client: int) -> bool:
        return client in self.here

    def tell(self, client: int | None, title: str, text: str) -> None:
        self.notes.append((client, text))


class RunningServer:
    """A cell server on a fake plant; it can be taken off the bus as if it had been killed."""

    def __init__(self, cell: str | Path, broker: MemoryBroker, keys: Keys, clock: ManualClock, epoch: str):
        self.running = start_cell(cell, plant="fake", keep_poses=False, epoch=epoch)
        self.bus = MemoryBus(broker)
        self.bus.start()
        self._clock = clock
        port = CellPort(self.bus, keys)
        port.start()
        self._server = CellServer(self.running, clock, port)

    def tick(self) -> None:
        self._clock.advance(self.running.plant.period_s)
        self._server.tick(LoopState())


class Bench:
    """A page on a real web server, and a cell server on a fake plant that it talks to, stepped together by hand.

    Without an audience the people are those in memory.
    """

    def __init__(self, cell: str | Path, server: viser.ViserServer, audience: Audience | None = None):
        self.server = server
        self.clock = ManualClock()
        self.people = People()
        self._cell = cell
        self._broker = MemoryBroker(self.clock)
        description = load_cell(cell)
        self._keys = Keys("local", description.name)
        self._epoch = 1
        self._server = self._start_server()
        session = self.connect("by hand", "page")
        session.transport.start()
        self.page = Page(description, session, server, audience or self.people, self.clock)
        self.page.greet()

    def _start_server(self) -> RunningServer:
        return RunningServer(self._cell, self._broker, self._keys, self.clock, f"epoch {self._epoch}")

    @property
    def running(self):
        return self._server.running

    def connect(self, renewing: Renewing, source: Source) -> Session:
        """A client of the cell, who waits by letting it run."""
        transport = BusTransport(
            MemoryBus(self._broker),
            self._keys,
            self.clock,
            wait=lambda _: self._server.tick(),
            renewing=renewing,
            source=source,
        )
        return Session(transport)

    def kill_server(self) -> None:
        """Nobody answers for the cell any more."""
        self._server.bus.close()
        self._server.running.close()

    def restart_server(self) -> None:
        """The cell comes up anew."""
        self._epoch += 1
        self._server = self._start_server()

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
                self._server.tick()
        self.page.step(self.clock.now())

    def press(self, *options: str, client: int = CLIENT) -> None:
        """Press buttons of the control panel, one after the other."""
        for option in options:
            self.get_panel(ControlPanel).press(option, client)
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


def slide(bench: Bench, shown: float, axis: str = WAIST, client: int = CLIENT) -> None:
    """What viser does when a person moves a slider."""
    joints = bench.get_panel(JointsPanel)
    joints.sliders[axis].value = shown
    joints.move(bench.running.cell.get_axis(axis), shown, client)


def move_by(bench: Bench, waist_deg: float, client: int = CLIENT) -> None:
    """The robot FL moves by itself, not by its sliders."""
    increments = [0.0] * 9
    increments[3] = math.radians(waist_deg)
    bench.page.commander.ask(MoveJointsBy, client, robot="FL", increments=tuple(increments))
