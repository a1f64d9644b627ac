"""The life of real processes. Every wait is for a condition; every process has an end of its own."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from telecell.bus import Ended
from telecell.clock import SystemClock
from telecell.errors import InputError, PortBusy, UnknownName
from telecell.messages import LoopState
from telecell.servers.child import Child, start_child
from telecell.servers.ports import page_answers, suggest_port
from telecell.servers.supervisor import describe, run

LIFETIME_S = 60
TIMEOUT_S = 30

SCRIPT = """
import sys
from functools import partial
from telecell.errors import ServerError
from telecell.servers.supervisor import run
try:
    sys.exit(run(*{arguments}, seconds={seconds}, plant="fake", say=partial(print, flush=True), **{options}))
except ServerError as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
"""


class Up:
    """A supervisor in a process of its own."""

    def __init__(self, cell: str, *, seconds: float = LIFETIME_S, **options):
        code = SCRIPT.format(arguments=[cell], seconds=seconds, options=options)
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

    def wait_until_running(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

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


@pytest.fixture
def up() -> Iterator:
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


def test_a_cell_without_a_page_runs_as_long_as_told_and_gives_its_account(up):
    code, out, err = up("puma", headless=True, seconds=0.5).finish()
    assert (code, err) == (0, "")
    first, last = out.splitlines()
    assert first == "PUMA with force-sensing wrist is running without a page. Ctrl-C stops it."
    assert last.startswith("Simulated ")
    assert last.endswith(" ticks dropped.")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_takes_everything_down_cleanly(up, number: signal.Signals):
    port = suggest_port()
    supervisor = up("puma", port=port)
    assert f"http://127.0.0.1:{port}" in supervisor.wait_until_running()
    assert page_answers(port)
    children = supervisor.get_children()
    assert set(children) == {"telecell.servers.cell_server", "telecell.station"}
    os.killpg(supervisor.pid, number)  # as a terminal does it
    code, out, err = supervisor.finish()
    assert (code, err) == (0, "")
    assert "real-time factor" in out
    assert all(has_ended(pid) for pid in children.values())
    assert not page_answers(port)


def test_ctrl_c_works_while_the_cell_comes_up(up):
    supervisor = up("puma", headless=True)
    while not supervisor.get_children():
        assert supervisor.process.poll() is None
    supervisor.process.send_signal(signal.SIGINT)
    code, _, err = supervisor.finish()
    assert (code, err) == (0, "")


def test_children_die_with_a_killed_supervisor(up):
    supervisor = up("puma", port=suggest_port())
    supervisor.wait_until_running()
    children = supervisor.get_children()
    assert len(children) == 2
    supervisor.process.kill()
    assert all(has_ended(pid) for pid in children.values())


@pytest.mark.parametrize(
    ("victim", "name"), [("telecell.servers.cell_server", "cell server"), ("telecell.station", "station")]
)
def test_a_child_that_dies_takes_the_others_down(up, victim: str, name: str):
    supervisor = up("puma", port=suggest_port())
    supervisor.wait_until_running()
    children = supervisor.get_children()
    os.kill(children[victim], signal.SIGKILL)
    code, _, err = supervisor.finish()
    assert code == 1
    assert err == f"ProcessDied: {name}: the process ended by itself (SIGKILL): it did not say why\n"
    assert all(has_ended(pid) for pid in children.values())


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
        run("puma", headless=True, seconds=seconds)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_refused(port: int):
    with pytest.raises(InputError, match="--port: not a port"):
        run("puma", port=port)


def test_a_cell_that_is_none_is_refused():
    with pytest.raises(UnknownName, match=r"no cell of that name, got 'pumma'.*Did you mean 'puma'"):
        run("pumma", headless=True)


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
    child = start_child("cell server", "telecell.servers.cell_server", ["pumma"], {})
    assert wait_for_death(child).startswith(
        "cell server: the process ended by itself (exit code 1): no cell of that name, got 'pumma'"
    )


def test_a_child_that_crashes_is_quoted_with_its_last_line():
    child = start_child("cell server", "telecell.no_such_module", [], {})
    assert wait_for_death(child).endswith("No module named telecell.no_such_module")


def test_a_child_that_does_not_listen_is_killed():
    child = start_child("cell server", "telecell.servers.cell_server", ["puma", "--plant", "fake"], {})
    os.kill(child.pid, signal.SIGSTOP)
    child.terminate()
    child.finish(0.0, SystemClock())
    assert not child.alive
