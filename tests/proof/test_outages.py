"""Row A2: what was sent before or during an outage does nothing after it."""

import pytest

from soak.real.outages import cut
from soak.real.program import Program
from soak.real.witness import Witness
from telecell.bus import TcpProxy

pytestmark = pytest.mark.real_time

PERIOD_S = 0.004


@pytest.mark.parametrize(
    ("what", "outages_s"), [("moves", (0.5, 1.5, 3.0)), ("set_points", (0.7, 2.0))], ids=["moves", "set_points"]
)
def test_no_old_command_acts_after_an_outage(
    witness: Witness, proxy: TcpProxy, what: str, outages_s: tuple[float, ...]
):
    with Program("insists", what, proxy.endpoint) as program:
        program.wait_for_line("sent")
        wrongs = [wrong for seconds in outages_s for wrong in cut(witness, proxy, program, seconds, PERIOD_S)]
    assert wrongs == []
