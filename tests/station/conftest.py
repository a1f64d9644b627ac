import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from telecell.models import Cell, load_cell
from telecell.station.audience import Browsers
from telecell.station.server import open_server

from .page_bench import Bench

QUIETLY = Path(__file__).parents[2] / "tools" / "quiet-browser.sh"


@pytest.fixture(scope="session")
def cirsse() -> Cell:
    return load_cell("cirsse")


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="package", autouse=True)
def runtime_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Sockets in a folder of their own, where nobody else is in the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        yield


@contextlib.contextmanager
def open_bench(cell: str | Path, port: int, *, browsers: bool = False) -> Iterator[Bench]:
    """A page and its cell; for people in memory, or for real browsers."""
    with open_server(port, "test") as server:
        yield Bench(cell, server, Browsers(server) if browsers else None)


@pytest.fixture
def bench(free_port: int) -> Iterator[Bench]:
    with open_bench("cirsse", free_port) as bench:
        yield bench


@pytest.fixture
def puma_bench(free_port: int) -> Iterator[Bench]:
    with open_bench("puma", free_port) as bench:
        yield bench


@pytest.fixture
def browser_bench(free_port: int) -> Iterator[Bench]:
    with open_bench("cirsse", free_port, browsers=True) as bench:
        yield bench


@pytest.fixture(scope="session")
def quiet_browser_path(browser_path: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Chromium at the lowest priority: drawing without a graphics card, it would take the time of the control loop."""
    script = tmp_path_factory.mktemp("browser") / "chromium"
    script.write_text(f'#!/bin/sh\nexec sh {QUIETLY} {browser_path} "$@"\n')
    script.chmod(0o755)
    return str(script)


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
