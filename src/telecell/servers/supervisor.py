"""`telecell up`: starts the processes of a cell, watches over them, and takes them down together."""

from __future__ import annotations

import contextlib
import math
import selectors
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from typing import get_args, get_type_hints

from telecell.bus import DEFAULT_SITE, LOOPBACK, Ended, is_loopback, open_router, prepare_endpoint, validate_name
from telecell.clock import Clock, SystemClock
from telecell.errors import InputError, UnknownName
from telecell.models import load_cell
from telecell.models.description import ControlEntry
from telecell.servers.lock import validate_free
from telecell.servers.ports import page_answers, validate_port_free
from telecell.servers.service import Service

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOP_PATIENCE_S = 3.0
POLL_S = 0.1


def run(
    cell: str,
    *,
    port: int | None = 8080,
    seconds: float | None = None,
    plant: str = "physics",
    profile: str | None = None,
    site: str = DEFAULT_SITE,
    listen: Sequence[str] = (),
    open_browser: bool = False,
    say: Callable[[str], None] = print,
) -> int:
    """Run a cell until Ctrl-C, a signal to end, or the time is up; returns the exit code 0.

    Args:
        cell: name of a cell of the catalog, or path of a cell file.
        port: of the page, on loopback; None runs the cell without a page.
        seconds: how long to run once everything is up; None runs until told to stop.
        plant: what the cell moves: `physics`, `fake`, or another driver.
        profile: the rules of control; those of the cell file by default.
        site: the owner of the cell on the bus.
        listen: addresses for programs that cannot use the local socket, such as `tcp/127.0.0.1:7447`.
        open_browser: show the page in the user's browser.
        say: how to tell the user something.

    Raises:
        InputError: the cell or an option is wrong; nothing was started.
        CellBusy: the cell has a server already; nothing was started.
        PortBusy: another program listens on the port; nothing was started.
        ProcessDied: a process ended before it did its work; the others have been stopped.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InputError("must be a positive number of seconds", where="--seconds", value=seconds)
    loaded = load_cell(cell)  # a mistake in the cell file is found before anything is started
    validate_name("site", site)
    validate_profile(profile)
    validate_listen(listen)
    if port is not None:
        validate_port_free(port)
    validate_free(loaded, site)
    endpoint = prepare_endpoint(site, loaded.name)
    with (
        _stop_signals() as stop_signal,
        open_router([endpoint, *listen]),
        Supervisor(stop_signal, SystemClock(), say) as supervisor,
    ):
        rules = ["--plant", plant, *(["--profile", profile] if profile else [])]
        for name, module, arguments in _list_processes(rules, port):
            supervisor.start(name, module, [cell, *arguments, "--site", site, "--endpoint", endpoint])
        if supervisor.wait_until(lambda: port is None or page_answers(port)):
            _greet(loaded.title, port, listen, say)
            if open_browser and port is not None:
                webbrowser.open(_page_address(port))
            supervisor.wait(seconds)
    for ended in supervisor.accounts:
        say(describe(ended))
    return 0


def _list_processes(rules: list[str], port: int | None) -> list[tuple[str, str, list[str]]]:
    """Name, module and own arguments of each process of a cell."""
    station = [("station", "telecell.station", ["--port", str(port)])]
    return [
        ("cell server", "telecell.servers.cell_server", rules),
        ("worker", "telecell.servers.worker", []),
        *(station if port is not None else []),
    ]


def validate_profile(profile: str | None) -> None:
    """Refuse rules of control that are not known.

    Raises:
        UnknownName: with the known ones.
    """
    known = get_args(get_type_hints(ControlEntry)["profile"])
    if profile is not None and profile not in known:
        raise UnknownName("profile", profile, known)


def validate_listen(listen: Sequence[str]) -> None:
    """Refuse addresses that others than the users of this machine could reach.

    Raises:
        InputError: with the address.
    """
    for address in listen:
        if not is_loopback(address):
            raise InputError(
                "other machines could drive the cell: there is no encryption and no login yet",
                where="--listen",
                value=address,
                remedy=f"Listen on tcp/{LOOPBACK}:PORT, and reach it from elsewhere through an SSH tunnel.",
            )


def _greet(title: str, port: int | None, listen: Sequence[str], say: Callable[[str], None]) -> None:
    say(f"{title} is running {'without a page' if port is None else f'at {_page_address(port)}'}. Ctrl-C stops it.")
    for address in listen:
        say(f"ATTENTION: every user of this machine can drive it by {address}.")


def _page_address(port: int) -> str:
    return f"http://{LOOPBACK}:{port}"


class Supervisor:
    """The processes of one cell, from the first to the last moment.

    Args:
        stop_signal: becomes readable when everything should end.
        clock: for patience.
        say: how to tell the user something.
    """

    def __init__(self, stop_signal: socket.socket, clock: Clock, say: Callable[[str], None]):
        self._stop_signal = stop_signal
        self._clock = clock
        self._say = say
        self._services: list[Service] = []
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Supervisor:
        self._selector.register(self._stop_signal, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._selector.close()

    def start(self, name: str, module: str, arguments: Sequence[str]) -> None:
        """Start a process, and see to it from now on."""
        service = Service(name, module, arguments, self._selector, self._clock, self._say)
        service.start()
        self._services.append(service)

    def wait_until(self, is_up: Callable[[], bool]) -> bool:
        """Wait until all processes do their work and a condition holds; False when told to stop before."""
        while not (all(service.ready for service in self._services) and is_up()):
            if self._told_to_stop(POLL_S):
                return False
        return True

    def wait(self, seconds: float | None) -> None:
        """Watch over the processes until told to stop or the time is up."""
        end_s = math.inf if seconds is None else self._clock.now() + seconds
        while (remaining := end_s - self._clock.now()) > 0:
            if self._told_to_stop(min(POLL_S, remaining)):
                return

    def _told_to_stop(self, timeout_s: float) -> bool:
        """Wait for something to happen, and see to it."""
        happened = {key.fileobj for key, _ in self._selector.select(timeout_s)}
        for service in self._services:
            service.tend()
        return self._stop_signal in happened

    def stop(self) -> None:
        """End all processes: told first, killed after 3 s."""
        for service in self._services:
            service.terminate()
        deadline_s = self._clock.now() + STOP_PATIENCE_S
        for service in self._services:
            service.finish(deadline_s)

    @property
    def accounts(self) -> Sequence[Ended]:
        """What the ended processes said about their work."""
        return [service.ended for service in self._services if service.ended]


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
