"""The life of real processes. Every wait is for a condition; every process has an end of its own."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from telecell.bus import Ended, local_endpoint
from telecell.clock import SystemClock
from telecell.errors import InputError, PortBusy, UnknownName
from telecell.messages import LoopState
from telecell.messages.granting import Acquire
from telecell.messages.replies import Done, Granted, Refused
from telecell.messages.settings import Power
from telecell.servers.child import Child, start_child
from telecell.servers.ports import page_answers, suggest_port
from telecell.servers.supervisor import describe, run

from .visitor import Visitor

pytestmark = pytest.mark.real_time

LIFETIME_S = 60
TIMEOUT_S = 30
CELL_SERVER = "telecell.servers.cell_server"
WORKER = "telecell.servers.worker"
STATION = "telecell.station"

SCRIPT = """
import sys
from functools import partial
from telecell.errors import TelecellError
from telecell.servers.supervisor import run
try:
    options = dict(seconds={seconds}, plant="fake") | {options}
    sys.exit(run(*{arguments}, say=partial(print, flush=True), **options))
except TelecellError as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
"""


class Up:
    """A supervisor in a process of its own."""

    def __init__(self, cell: str, *, seconds: float = LIFETIME_S, port: int | None = None, **options):
        code = SCRIPT.format(arguments=[cell], seconds=seconds, options=options | {"port": port})
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def read_line(self) -> str:
        """The next thing that the user is told; the first one when everything runs."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def get_children(self) -> dict[str, int]:
        """Process numbers by module."""
        children = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = status.read_text().rpartition(")")[2].split()[1]
                command = (status.parent / "cmdline").read_text().split("\0")
            except OSError:
                continue  # it has just ended
            if int(parent) == self.pid and "-m" in command:
                children[command[command.index("-m") + 1]] = int(status.parent.name)
        return children

    def finish(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, out, err


Start = Callable[..., Up]


@pytest.fixture
def up() -> Iterator[Start]:
    started: list[Up] = []

    def start(*arguments, **options) -> Up:
        started.append(Up(*arguments, **options))
        return started[-1]

    yield start
    for supervisor in started:
        supervisor.process.kill()
        supervisor.process.communicate()


def has_ended(pid: int) -> bool:
    """Wait for the end of a process, ours or not."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(process, select.POLLIN)
        return bool(poll.poll(1000 * TIMEOUT_S))
    finally:
        os.close(process)


def test_a_cell_without_a_page_runs_as_long_as_told_and_gives_its_account(up: Start):
    code, out, err = up("puma", seconds=0.5).finish()
    assert (code, err) == (0, "")
    first, last = out.splitlines()
    assert first == "PUMA with force-sensing wrist is running without a page. Ctrl-C stops it."
    assert last.startswith("Simulated ")
    assert last.endswith(" ticks dropped.")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_takes_everything_down_cleanly(up: Start, number: signal.Signals):
    port = suggest_port()
    supervisor = up("puma", port=port)
    assert f"http://127.0.0.1:{port}" in supervisor.read_line()
    assert page_answers(port)
    children = supervisor.get_children()
    assert set(children) == {CELL_SERVER, WORKER, STATION}
    os.killpg(supervisor.pid, number)  # as a terminal does it
    code, out, err = supervisor.finish()
    assert (code, err) == (0, "")
    assert "real-time factor" in out
    assert all(has_ended(pid) for pid in children.values())
    assert not page_answers(port)


def test_ctrl_c_works_while_the_cell_comes_up(up: Start):
    supervisor = up("puma")
    while not supervisor.get_children():
        assert supervisor.process.poll() is None
    supervisor.process.send_signal(signal.SIGINT)
    code, _, err = supervisor.finish()
    assert (code, err) == (0, "")


def test_children_that_do_not_listen_are_killed_in_the_end(up: Start):
    supervisor = up("puma")
    supervisor.read_line()
    children = supervisor.get_children()
    for pid in children.values():
        os.kill(pid, signal.SIGSTOP)
    supervisor.process.send_signal(signal.SIGINT)
    code, _, err = supervisor.finish()
    assert (code, err) == (0, "")
    assert all(has_ended(pid) for pid in children.values())


def test_children_die_with_a_killed_supervisor(up: Start):
    supervisor = up("puma", port=suggest_port())
    supervisor.read_line()
    children = supervisor.get_children()
    assert len(children) == 3
    supervisor.process.kill()
    assert all(has_ended(pid) for pid in children.values())


def test_a_cell_comes_up_again_where_another_was_killed(up: Start):
    supervisor = up("puma")
    supervisor.read_line()
    children = supervisor.get_children()
    supervisor.process.kill()
    assert all(has_ended(pid) for pid in children.values())
    assert "is running" in up("puma").read_line()


@pytest.mark.parametrize(("victim", "name"), [(WORKER, "worker"), (STATION, "station")])
def test_a_child_that_dies_is_started_again(up: Start, victim: str, name: str):
    port = suggest_port()
    supervisor = up("puma", port=port)
    supervisor.read_line()
    children = supervisor.get_children()
    os.kill(children[victim], signal.SIGKILL)
    assert supervisor.read_line() == (
        f"{name}: the process ended by itself (SIGKILL): it did not say why. It starts again in 0.5 s."
    )
    assert supervisor.read_line() == f"{name}: running again"
    later = supervisor.get_children()
    assert later.pop(victim) != children.pop(victim)
    assert later == children
    assert page_answers(port)


def test_a_cell_server_that_was_killed_comes_back_off_and_honours_no_old_grant(up: Start):
    supervisor = up("puma")
    supervisor.read_line()
    with Visitor(local_endpoint("local", "puma"), "puma") as visitor:
        granted = visitor.ask(Acquire, holder="test", source="program")
        assert isinstance(granted, Granted)
        visitor.grant = granted.grants[0].grant
        assert isinstance(visitor.ask(Power, robot="puma", on=True), Done)
        before = visitor.wait_for_state(lambda state: all(axis.powered for axis in state.axes))
        os.kill(supervisor.get_children()[CELL_SERVER], signal.SIGKILL)
        assert supervisor.read_line().startswith("cell server: the process ended by itself (SIGKILL)")
        assert supervisor.read_line() == "cell server: running again"
        after = visitor.wait_for_state(lambda state: state.epoch != before.epoch)
        assert not any(axis.powered for axis in after.axes)
        assert after.grants == ()
        refused = visitor.ask(Power, robot="puma", on=True)
        assert isinstance(refused, Refused)
        assert refused.error.kind == "NotHolder"


def test_a_second_server_for_a_cell_is_refused(up: Start):
    first = up("puma")
    first.read_line()
    holder = first.get_children()[CELL_SERVER]
    code, out, err = up("puma").finish()
    assert (code, out) == (1, "")
    assert err.startswith(f"CellBusy: cell puma: another server runs the cell, process {holder}.")
    child = start_child("cell server", CELL_SERVER, ["puma", "--endpoint", local_endpoint("local", "puma")])
    assert f"another server runs the cell, process {holder}" in wait_for_death(child)
    with Visitor(local_endpoint("local", "puma"), "puma") as visitor:
        visitor.wait_for_state(lambda state: True)


def test_the_cells_of_two_sites_run_side_by_side(up: Start):
    supervisors = [up("puma", site=site) for site in ("north", "south")]
    assert all("is running" in supervisor.read_line() for supervisor in supervisors)


def test_a_child_that_cannot_start_ends_everything(up: Start):
    code, out, err = up("puma", plant="magic").finish()
    assert (code, out) == (1, "")
    assert err.startswith(
        "ProcessDied: cell server: the process ended by itself (exit code 1): no plant driver of that name, got 'magic'"
    )


def test_an_address_for_programs_is_announced_loudly(up: Start):
    address = f"tcp/127.0.0.1:{suggest_port()}"
    supervisor = up("puma", listen=[address])
    supervisor.read_line()
    assert supervisor.read_line() == f"ATTENTION: every user of this machine can drive it by {address}."
    with Visitor(address, "puma") as visitor:
        visitor.wait_for_state(lambda state: state.cell == "puma")


@pytest.mark.parametrize("address", ["tcp/0.0.0.0:7447", "tcp/192.168.1.5:7447", "tcp/[::]:7447", "tcp/example.org:1"])
def test_an_address_that_others_can_reach_is_refused(address: str):
    with pytest.raises(InputError, match=r"--listen: other machines could drive the cell.*SSH tunnel"):
        run("puma", port=None, listen=[address])


def test_an_unknown_profile_is_refused():
    with pytest.raises(UnknownName, match="no profile of that name, got 'wild'; choose from: delayed, lab, local"):
        run("puma", port=None, profile="wild")


def test_a_busy_port_is_said_before_anything_is_started():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortBusy, match=rf"127\.0\.0\.1:{port}: cannot listen there.*--port \d+"):
            run("puma", port=port)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(seconds: float):
    with pytest.raises(InputError, match="--seconds: must be a positive number of seconds"):
        run("puma", port=None, seconds=seconds)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_refused(port: int):
    with pytest.raises(InputError, match="--port: not a port"):
        run("puma", port=port)


def test_a_cell_that_is_none_is_refused():
    with pytest.raises(UnknownName, match=r"no cell of that name, got 'pumma'.*Did you mean 'puma'"):
        run("pumma", port=None)


def test_the_account_is_in_words():
    ended = Ended(ticks=1000, time_s=4.0, real_s=5.0, loop=LoopState(1.0, 7, 250))
    assert describe(ended) == (
        "Simulated 4.00 s in 5.00 s (real-time factor 0.80), 1000 ticks, 7 overruns, 250 ticks dropped."
    )


def wait_for_death(child: Child) -> str:
    assert has_ended(child.pid)
    assert not child.alive
    child.listen()
    text = str(child.build_death_notice())
    child.finish(0.0, SystemClock())
    return text


def test_an_error_at_the_start_of_a_child_is_one_clear_line():
    child = start_child("cell server", CELL_SERVER, ["pumma", "--endpoint", "tcp/127.0.0.1:1"])
    assert wait_for_death(child).startswith(
        "cell server: the process ended by itself (exit code 1): no cell of that name, got 'pumma'"
    )


@pytest.mark.parametrize("module", [CELL_SERVER, WORKER])
def test_a_child_without_a_router_says_so(module: str):
    child = start_child("child", module, ["puma", "--endpoint", f"tcp/127.0.0.1:{suggest_port()}"])
    assert "nobody answers within 2 s" in wait_for_death(child)


def test_a_child_that_crashes_is_quoted_with_its_last_line():
    child = start_child("cell server", "telecell.no_such_module", [])
    assert wait_for_death(child).endswith("No module named telecell.no_such_module")


def test_a_child_that_does_not_listen_is_killed():
    child = start_child("worker", WORKER, ["puma", "--endpoint", "tcp/127.0.0.1:1"])
    os.kill(child.pid, signal.SIGSTOP)
    child.terminate()
    child.finish(0.0, SystemClock())
    assert not child.alive
