"""Rows A6 and B2: whoever may watch may press stop, and it works at once, whatever else goes on."""

from collections.abc import Iterator

import pytest

import telecell as tc
from soak.real.cell_process import CellProcess
from soak.real.pressing import FLOODS, Pressing
from soak.real.witness import Witness

pytestmark = pytest.mark.real_time


@pytest.fixture
def watcher(cell: CellProcess) -> Iterator[tc.CellClient]:
    with tc.connect(cell.endpoint) as watcher:
        yield watcher


def test_the_robot_brakes_in_the_tick_in_which_a_stop_arrives(watcher: tc.CellClient, witness: Witness):
    assert Pressing(watcher, witness).run(5) == []


def test_no_stop_is_ignored_under_a_flood(watcher: tc.CellClient, witness: Witness):
    assert Pressing(watcher, witness).run(30, floods=FLOODS) == []
