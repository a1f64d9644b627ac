"""Rows B1 and B3: whatever becomes of a holder, the robot brakes in time, and the next one can have it."""

import pytest

from soak.real.cell_process import CellProcess
from soak.real.faults import FAULTS
from soak.real.vanishing import Vanishing
from soak.real.witness import Witness

pytestmark = pytest.mark.real_time


@pytest.mark.parametrize("cause", FAULTS)
@pytest.mark.parametrize("source", ["moves", "attended", "streams"])
def test_a_holder_that_vanishes_is_stopped_in_time(cell: CellProcess, witness: Witness, source: str, cause: str):
    assert Vanishing(cell, witness).run(source, cause) == []
