"""Row A5: a restarted cell server honours no old grant, comes up off, and is there again for the same clients."""

import pytest

import telecell as tc
from soak.real.cell_process import CellProcess
from soak.real.restarts import restart, start_moving
from soak.real.witness import Witness

pytestmark = pytest.mark.real_time


def test_five_restarts_honour_no_old_grant(cell: CellProcess, witness: Witness):
    with tc.connect(cell.endpoint) as client:
        wrongs = [wrong for _ in range(5) for wrong in restart(cell, client, witness)]
        assert start_moving(client).wait().outcome == "arrived"
    assert wrongs == []
    assert len(witness.records) == 6
