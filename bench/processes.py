"""The processes of a cell, with a server that measures itself, and the bare peers beside them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.lateness import Lateness
from soak.real.cell_process import own_folders
from soak.real.patience import wait_for
from telecell.bus import open_router, prepare_endpoint
from telecell.clock import SystemClock
from telecell.servers.child import start_child

CELL = "cirsse"
MEASURED = "bench.measured_server"
PATIENCE_S = 10.0


@contextlib.contextmanager
def open_measured_router() -> Iterator[str]:
    """A router on a Unix socket in a folder of its own; gives its endpoint."""
    with own_folders():
        endpoint = prepare_endpoint("local", CELL)
        with open_router([endpoint]):
            yield endpoint


@contextlib.contextmanager
def run_child(module: str, *arguments: str) -> Iterator[None]:
    """One of the processes of a cell, from when it is ready."""
    child = start_child(module, module, list(arguments))

    def is_ready() -> bool:
        child.listen()
        if not child.alive:
            raise child.build_death_notice()
        return child.ready

    try:
        wait_for(is_ready, module)
        yield
    finally:
        child.terminate()
        clock = SystemClock()
        child.finish(clock.now() + PATIENCE_S, clock)


@contextlib.contextmanager
def run_cell(endpoint: str, *, port: int | None = None, file: str = "/dev/null") -> Iterator[None]:
    """Cell server and worker, and a station if there is a port for it."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(run_child(MEASURED, file, CELL, "--endpoint", endpoint))
        stack.enter_context(run_child("telecell.servers.worker", CELL, "--endpoint", endpoint))
        if port is not None:
            stack.enter_context(run_child("telecell.station", CELL, "--port", str(port), "--endpoint", endpoint))
        yield


@contextlib.contextmanager
def run_bare_answerer(endpoint: str) -> Iterator[None]:
    """Who answers bare queries."""
    command = [sys.executable, "-m", "bench.bare_answerer", endpoint]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


@contextlib.contextmanager
def lateness_files(*names: str) -> Iterator[dict[str, str]]:
    """A file for each loop to write its account to."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield {name: f"{folder}/{name}.json" for name in names}


def read_lateness(file: str) -> Lateness:
    """The account that an ended loop has written."""
    return msgspec.json.decode(Path(file).read_bytes(), type=Lateness)
