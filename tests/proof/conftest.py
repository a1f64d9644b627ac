"""A real cell in processes of its own, and a witness of everything that it says."""

from collections.abc import Iterator

import pytest

from soak.real.cell_process import CellProcess, own_folders
from soak.real.judging import judge_everything
from soak.real.witness import Witness
from telecell.bus import TcpProxy


@pytest.fixture(scope="package", autouse=True)
def folders() -> Iterator[None]:
    with own_folders():
        yield


@pytest.fixture(scope="module")
def cell() -> Iterator[CellProcess]:
    with CellProcess() as cell:
        yield cell


@pytest.fixture
def witness(cell: CellProcess) -> Iterator[Witness]:
    """Whatever a test does to the cell, nobody moves it without a grant, and nothing moves before a reset."""
    with Witness(cell.endpoint, cell.keys) as witness:
        yield witness
        witness.look()
        assert [wrong for record in witness.records for wrong in judge_everything(record)] == []


@pytest.fixture
def proxy(cell: CellProcess) -> Iterator[TcpProxy]:
    with TcpProxy(*cell.address) as proxy:
        yield proxy
