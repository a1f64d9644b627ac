"""`telecell up`: starts the processes of a cell, watches over them, and takes them down together."""

from __future__ import annotations

import contextlib
import math
import selectors
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator, Sequence

from telecell.bus import LOOPBACK, Ended, open_pair
from telecell.clock import Clock, SystemClock
from telecell.errors import InputError
from telecell.models import load_cell
from telecell.servers.child import Child, start_child
from telecell.servers.ports import page_answers, validate_port_free

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOP_PATIENCE_S = 3.0
POLL_S = 0.1


def run(
    cell: str,
    *,
    headless: bool = False,
    port: int = 8080,
    seconds: float | None = None,
    plant: str = "physics",
    open_browser: bool = False,
    say: Callable[[str], None] = print,
) -> int:
    """Run a cell until Ctrl-C, a signal to end, or the time is up; returns the exit code 0.

    Args:
        cell: name of a cell of the catalog, or path of a cell file.
        headless: only the twin, no page.
        port: of the page, on loopback.
        seconds: how long to run once everything is up; None runs until told to stop.
        plant: what the cell moves: `physics`, `fake`, or another driver.
        open_browser: show the page in the user's browser.
        say: how to tell the user something.

    Raises:
        InputError: the cell or an option is wrong; nothing was started.
        PortBusy: another program listens on the port; nothing was started.
        ProcessDied: a process ended by itself; the other one has been stopped.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InputError("must be a positive number of seconds", where="--seconds", value=seconds)
    title = load_cell(cell).title  # a mistake in the cell file is found before anything is started
    address = f"http://{LOOPBACK}:{port}"
    if not headless:
        validate_port_free(port)
    with _stop_signals() as stop_signal, Supervisor(stop_signal, SystemClock(), say) as supervisor:
        supervisor.start(cell, plant, None if headless else port)
        if supervisor.wait_until_ready():
            say(f"{title} is running {'without a page' if headless else f'at {address}'}. Ctrl-C stops it.")
            if open_browser and not headless:
                webbrowser.open(address)
            supervisor.wait(seconds)
    for ended in supervisor.accounts:
        say(describe(ended))
    return 0


class Supervisor:
    """The children of one cell, from the first to the last moment.

    Args:
        stop_signal: becomes readable when everything should end.
        clock: for patience.
        say: how to tell the user something.
    """

    def __init__(self, stop_signal: socket.socket, clock: Clock, say: Callable[[str], None]):
        self._stop_signal = stop_signal
        self._clock = clock
        self._say = say
        self._children: list[Child] = []
        self._port: int | None = None
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Supervisor:
        self._selector.register(self._stop_signal, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._selector.close()

    def start(self, cell: str, plant: str, port: int | None) -> None:
        """Start the cell server, and a station when there is a port for it."""
        self._port = port
        arguments = [cell, "--plant", plant]
        if port is None:
            self._start_child("cell server", "telecell.servers.cell_server", arguments, {})
            return
        cell_end, station_end = open_pair()
        with cell_end, station_end:
            self._start_child(
                "cell server", "telecell.servers.cell_server", arguments, {"--link-fd": cell_end.fileno()}
            )
            self._start_child(
                "station", "telecell.station", [cell, "--port", str(port)], {"--link-fd": station_end.fileno()}
            )

    def _start_child(self, name: str, module: str, arguments: list[str], fds: dict[str, int]) -> None:
        child = start_child(name, module, arguments, fds)
        child.watch(self._selector)
        self._children.append(child)

    def wait_until_ready(self) -> bool:
        """Wait until all children do their work and the page answers; False when told to stop before."""
        while not self._is_up():
            if self._told_to_stop(POLL_S):
                return False
        return True

    def _is_up(self) -> bool:
        return all(child.ready for child in self._children) and (self._port is None or page_answers(self._port))

    def wait(self, seconds: float | None) -> None:
        """Watch over the children until told to stop or the time is up."""
        end_s = math.inf if seconds is None else self._clock.now() + seconds
        while (remaining := end_s - self._clock.now()) > 0:
            if self._told_to_stop(min(POLL_S, remaining)):
                return

    def _told_to_stop(self, timeout_s: float) -> bool:
        """Wait for something to happen, take it in, and make sure that everybody lives."""
        happened = {key.fileobj for key, _ in self._selector.select(timeout_s)}
        for child in self._children:
            alive = child.alive  # asked first: what a dead child has said is complete then
            for line in child.listen():
                self._say(f"{child.name}: {line}")
            if not alive:
                raise child.build_death_notice()
        return self._stop_signal in happened

    def stop(self) -> None:
        """End all children: told first, killed after 3 s."""
        for child in self._children:
            child.unwatch(self._selector)
            child.terminate()
        deadline_s = self._clock.now() + STOP_PATIENCE_S
        for child in self._children:
            child.finish(deadline_s, self._clock)

    @property
    def accounts(self) -> Sequence[Ended]:
        """What the ended children said about their work."""
        return [child.ended for child in self._children if child.ended]


def describe(ended: Ended) -> str:
    """A cell server's account of itself in words."""
    loop = ended.loop
    return (
        f"Simulated {ended.time_s:.2f} s in {ended.real_s:.2f} s (real-time factor {ended.time_s / ended.real_s:.2f}), "
        f"{ended.ticks} ticks, {loop.overruns} overruns, {loop.dropped} ticks dropped."
    )


@contextlib.contextmanager
def _stop_signals() -> Iterator[socket.socket]:
    """A socket that becomes readable when this process is told to stop."""
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        previous_handlers = {number: signal.signal(number, lambda *_: None) for number in STOP_SIGNALS}
        previous_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield reader
        finally:
            signal.set_wakeup_fd(previous_fd)
            for number, handler in previous_handlers.items():
                signal.signal(number, handler)
