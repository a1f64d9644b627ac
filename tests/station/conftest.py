import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from telecell.bus import Link, Report, open_pair
from telecell.clock import ManualClock
from telecell.messages import AnyRequest
from telecell.models import Cell, load_cell
from telecell.runtime import open_cell
from telecell.station.page import Page
from telecell.station.server import open_server

from .page_bench import Bench


@pytest.fixture(scope="session")
def cirsse() -> Cell:
    return load_cell("cirsse")


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def open_bench(cell: str | Path, port: int) -> Iterator[Bench]:
    page_end, cell_end = open_pair()
    clock = ManualClock()
    running = open_cell(cell, plant="fake")
    with (
        Link(page_end, msgspec.json.Decoder(Report)) as page_link,
        Link(cell_end, msgspec.json.Decoder(AnyRequest)) as cell_link,
        open_server(port, "test") as server,
    ):
        yield Bench(Page(running.cell, page_link, server, clock), server, running, cell_link, clock)


@pytest.fixture
def bench(free_port: int) -> Iterator[Bench]:
    with open_bench("cirsse", free_port) as bench:
        yield bench


BARE_CELL = """
format = 1
name = "bare"
[[mounts]]
name = "arm"
model = "puma560"
"""


@pytest.fixture
def bare_bench(free_port: int, tmp_path: Path) -> Iterator[Bench]:
    """A cell without robots and tools."""
    (tmp_path / "cell.toml").write_text(BARE_CELL)
    with open_bench(tmp_path, free_port) as bench:
        yield bench
