"""Rows C2 and C3: a watcher that is frozen costs nobody anything, and one that comes late misses nothing."""

import pytest

import telecell as tc
from soak.real.cell_process import CellProcess
from soak.real.program import Program
from soak.real.watching import judge_joining, watch_beside_frozen
from soak.real.witness import Witness
from telecell.models import load_cell

pytestmark = pytest.mark.real_time

JOINS = 20


def test_a_frozen_watcher_costs_the_others_no_tick(witness: Witness):
    with Program("watches") as frozen:
        frozen.wait_for_line("watches")
        assert watch_beside_frozen(witness, frozen) == []


def test_whoever_joins_late_gets_everything(cell: CellProcess, witness: Witness):
    with tc.connect(cell.endpoint) as holder, holder.control("holder"):
        holder.manipulator("puma").power(True)
        holder.define_user_frame("bench", (0.5, 0, 0), (0.6, 0, 0), (0.5, 0.1, 0))
        description = load_cell("puma")
        wrongs = [wrong for _ in range(JOINS) for wrong in judge_joining(cell.endpoint, description, witness)]
    assert wrongs == []
