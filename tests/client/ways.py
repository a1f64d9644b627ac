"""The ways to a cell: inside the program's process, and over a bus in memory to a cell server and its worker."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import telecell as tc
from telecell.bus import Keys, MemoryBroker, MemoryBus
from telecell.client.in_process import InProcess
from telecell.client.over_bus import BusTransport
from telecell.messages import LoopState
from telecell.runtime import RunningCell, start_cell
from telecell.servers.cell_port import CellPort
from telecell.servers.cell_server import CellServer
from telecell.servers.worker import Worker


class Way(Protocol):
    """Connects programs to one running cell."""

    clock: tc.ManualClock

    def connect(self) -> tc.CellClient: ...


class Inside:
    """In the program's own process, keeping pace with a clock."""

    def __init__(self, running: RunningCell):
        self.clock = tc.ManualClock()
        self._running = running
        self._programs = 0

    def connect(self) -> tc.CellClient:
        self._programs += 1
        return tc.CellClient.connect(InProcess(self._running, self.clock, sender=f"program {self._programs}"))


class OverBus:
    """Over the bus. Whenever a program waits, the worker answers; if it has nothing to answer, the cell does a tick."""

    def __init__(self, running: RunningCell):
        self.clock = tc.ManualClock()
        self.broker = MemoryBroker(self.clock)
        self.keys = Keys("local", running.cell.name)
        self.while_waiting: Callable[[], None] = lambda: None
        self.serve(running)
        self.worker_bus = self._open_bus()
        self.worker = Worker(running.cell, self.worker_bus, self.keys, self.clock)
        self.worker.start()
        self.tick()

    def _open_bus(self) -> MemoryBus:
        bus = MemoryBus(self.broker)
        bus.start()
        return bus

    def serve(self, running: RunningCell) -> None:
        """Put a cell server on the bus."""
        self.running = running
        self.server_bus = self._open_bus()
        port = CellPort(self.server_bus, self.keys)
        port.start()
        self._server = CellServer(running, self.clock, port)

    def kill_server(self) -> None:
        self.server_bus.close()

    def tick(self) -> None:
        self.clock.advance(self.running.plant.period_s)
        self._server.tick(LoopState())

    def pass_time(self, _seconds: float = 0.0) -> None:
        self.while_waiting()
        answered = self.worker_bus.counts.sent
        self.worker.work(0.0)
        if self.worker_bus.counts.sent == answered:
            self.tick()

    def build_transport(self, bus: MemoryBus | None = None) -> BusTransport:
        return BusTransport(bus or MemoryBus(self.broker), self.keys, self.clock, wait=self.pass_time, renewing="calls")

    def connect(self) -> tc.CellClient:
        return tc.CellClient.connect(self.build_transport())


WAYS: dict[str, Callable[[RunningCell], Way]] = {"inside": Inside, "bus": OverBus}


def start_fake(cell: str | Path = "puma", epoch: str = "first") -> RunningCell:
    return start_cell(cell, plant="fake", keep_poses=False, epoch=epoch)
