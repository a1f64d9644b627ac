"""A cell server on a bus in memory, and somebody at the other end, one tick at a time."""

from typing import Any

import msgspec

from telecell.bus import Keys, MemoryBroker, MemoryBus
from telecell.clock import ManualClock
from telecell.contract import Command, Measurement
from telecell.errors import PlantLost
from telecell.messages import AnyEvent, AnyReply, CellSetup, CellState, Grant, LoopState, Request
from telecell.messages.granting import Acquire, RenewGrant
from telecell.messages.replies import Done, Granted
from telecell.messages.settings import Power
from telecell.models import Cell, load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell
from telecell.servers.cell_port import CellPort
from telecell.servers.cell_server import CellServer

LOOP = LoopState(0.5, 3, 2)
PUMA = load_cell("puma")
PERIOD_S = 0.004
SENDER = "d1"
ASK_TIMEOUT_S = 5.0


class FrailPlant(FakePlant):
    """A fake plant that a test can make fail."""

    broken = False

    def step(self, command: Command) -> Measurement:
        if self.broken:
            raise PlantLost("the line is cut", where="puma")
        return super().step(command)


class Desk:
    """Everything that a cell server says is kept: replies in their order, the newest state, all events."""

    def __init__(self, cell: Cell = PUMA, profile: str = "local"):
        self.plant = FrailPlant(cell)
        self.running = RunningCell(cell, self.plant, epoch="e", profile=profile)
        self.clock = ManualClock(1000.0)
        self.broker = MemoryBroker(self.clock)
        self.keys = Keys("local", cell.name)
        self.port = CellPort(self.join(), self.keys)
        self.port.start()
        self.server = CellServer(self.running, self.clock, self.port)
        self.grant: Grant | None = None
        self.replies: list[AnyReply | None] = []
        self.streamed: list[AnyReply] = []
        self.events: list[AnyEvent] = []
        self.states: list[CellState] = []
        self.setups: list[CellSetup] = []
        self.bus = self.join()
        self.bus.subscribe(self.keys.state, lambda _, payload: self.states.append(decode(payload, CellState)))
        self.bus.subscribe(self.keys.setup, lambda _, payload: self.setups.append(decode(payload, CellSetup)))
        self.bus.subscribe(self.keys.events, lambda _, payload: self.events.extend(decode(payload, list[AnyEvent])))
        self.bus.subscribe(
            self.keys.replies(SENDER), lambda _, payload: self.streamed.extend(decode(payload, list[AnyReply]))
        )
        self._sequence = 0
        self._renewals = 0

    def join(self) -> MemoryBus:
        """One more participant."""
        bus = MemoryBus(self.broker)
        bus.start()
        return bus

    def build(self, kind: type[Request], **fields) -> bytes:
        """A request as bytes, with the next number."""
        self._sequence += 1
        common = {"sequence": self._sequence, "sender": SENDER, "grant": self.grant, "echo": self.running.tick}
        return msgspec.json.encode(kind(**common | fields))

    def put(self, payload: bytes, key: str | None = None) -> None:
        """Ask by a query; its reply comes to `replies`."""
        self.bus.ask(key or self.keys.request, payload, self._take_reply, ASK_TIMEOUT_S)

    def _take_reply(self, payload: bytes | None) -> None:
        self.replies.append(None if payload is None else decode(payload, AnyReply))

    def send(self, kind: type[Request], **fields) -> None:
        self.put(self.build(kind, **fields))

    def stream(self, kind: type[Request], **fields) -> None:
        self.bus.publish(self.keys.stream, self.build(kind, **fields))

    def tick(self, count: int = 1, period_s: float = PERIOD_S) -> CellState:
        """Let ticks pass, with a sign of life at each if there is a grant; the last state."""
        for _ in range(count):
            self.clock.advance(period_s)
            if self.grant is not None:
                self._renewals += 1  # a gap would count as a loss
                self.stream(RenewGrant, sequence=self._renewals)
            self.server.tick(LOOP)
        return self.states[-1]

    def ask(self, kind: type[Request], **fields) -> AnyReply:
        """A request and its reply, one tick later."""
        before = len(self.replies)
        self.send(kind, **fields)
        self.tick()
        (reply,) = self.replies[before:]
        assert reply is not None
        return reply

    def get_mode(self) -> str:
        return self.running.state().robots[0].mode

    def take_control(self) -> None:
        reply = self.ask(Acquire, holder="test")
        assert isinstance(reply, Granted)
        self.grant = reply.grants[0].grant

    def get_ready(self) -> None:
        """Control and power."""
        self.take_control()
        assert isinstance(self.ask(Power, robot=self.running.cell.robots[0].name, on=True), Done)
        self.tick(2)
        assert self.get_mode() == "holding"


def decode(payload: bytes, kind: Any) -> Any:
    return msgspec.json.decode(payload, type=kind)
