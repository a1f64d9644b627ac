"""A real cell server process on a real router, with sockets in a folder of its own."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import telecell as tc
from telecell.bus import open_router, prepare_endpoint
from telecell.clock import SystemClock
from telecell.servers.child import Child, start_child

PATIENCE_S = 30.0


class RealCell:
    """The cell `puma` with the fake plant."""

    def __init__(self, endpoint: str):
        self._endpoint = endpoint
        self._child: Child | None = None

    def start(self) -> None:
        clock = SystemClock()
        deadline_s = clock.now() + PATIENCE_S
        child = self._child = start_child(
            "cell server", "telecell.servers.cell_server", ["puma", "--plant", "fake", "--endpoint", self._endpoint]
        )
        while not child.ready:
            assert child.alive, child.build_death_notice()
            assert clock.now() < deadline_s
            clock.sleep_until(clock.now() + 0.01)
            child.listen()

    def send_signal(self, number: signal.Signals) -> None:
        assert self._child is not None
        os.kill(self._child.pid, number)

    def kill(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            os.kill(child.pid, signal.SIGKILL)
            child.finish(SystemClock().now() + PATIENCE_S, SystemClock())


@contextmanager
def run_cell(*more_endpoints: str) -> Iterator[RealCell]:
    endpoint = prepare_endpoint("local", "puma")
    with open_router([endpoint, *more_endpoints]):
        cell = RealCell(endpoint)
        cell.start()
        try:
            yield cell
        finally:
            cell.kill()


def find_free_endpoint() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp/127.0.0.1:{probe.getsockname()[1]}"


def connect_soon() -> tc.CellClient:
    """As soon as the cell has published its first state."""
    clock = SystemClock()
    deadline_s = clock.now() + PATIENCE_S
    while True:
        try:
            return tc.connect()
        except tc.CellUnreachable:
            assert clock.now() < deadline_s
