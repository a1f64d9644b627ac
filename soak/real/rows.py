"""The rows of the table of figures that need real processes, each as an endless run of reports."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator

import telecell as tc
from soak.real.cell_process import CellProcess, own_folders
from soak.real.faults import FAULTS
from soak.real.garbage import send_garbage
from soak.real.judging import RULES, judge_everything
from soak.real.outages import cut
from soak.real.pressing import FLOODS, Pressing
from soak.real.program import Program
from soak.real.restarts import restart
from soak.real.turns import pass_around
from soak.real.vanishing import Vanishing
from soak.real.watching import judge_joining, watch_beside_frozen
from soak.real.witness import Witness
from soak.runner import Report
from telecell.bus import TcpProxy
from telecell.models import load_cell

PERIOD_S = 0.004
LONGEST_OUTAGE_S = 15.0
PRESSES = 10
TURNS = 20

Trial = Callable[[CellProcess, Witness, random.Random], list[str]]


def repeat(name: str, trial: Trial, count: int = 1) -> Callable[[int], Iterator[Report]]:
    """A row that does one thing again and again, each time with a new witness.

    Args:
        name: of what is done.
        trial: does it, and returns what was not kept.
        count: how often it is done in one trial.
    """

    def run(seed: int) -> Iterator[Report]:
        chance = random.Random(seed)
        with own_folders(), CellProcess() as cell:
            while True:
                with Witness(cell.endpoint, cell.keys) as witness:
                    wrongs = trial(cell, witness, chance)
                    witness.look()
                    wrongs += [wrong for record in witness.records for wrong in judge_everything(record)]
                yield Report({name: count}, wrongs)

    return run


def _vanish(cell: CellProcess, witness: Witness, chance: random.Random) -> list[str]:
    source, cause = chance.choice(sorted(RULES)), chance.choice(sorted(FAULTS))
    return [f"{source}, {cause}: {wrong}" for wrong in Vanishing(cell, witness).run(source, cause, trials=1)]


def _press(cell: CellProcess, witness: Witness, _chance: random.Random) -> list[str]:
    with tc.connect(cell.endpoint) as watcher:
        return Pressing(watcher, witness).run(PRESSES)


def _press_in_flood(cell: CellProcess, witness: Witness, _chance: random.Random) -> list[str]:
    with tc.connect(cell.endpoint) as watcher:
        return Pressing(watcher, witness).run(PRESSES, floods=FLOODS)


def _pass_around(_cell: CellProcess, witness: Witness, chance: random.Random) -> list[str]:
    pass_around(witness, TURNS, chance.randrange(1 << 32))
    return []


def _cut(cell: CellProcess, witness: Witness, chance: random.Random) -> list[str]:
    what, seconds = chance.choice(["moves", "set_points"]), chance.uniform(0.5, LONGEST_OUTAGE_S)
    with TcpProxy(*cell.address) as proxy, Program("insists", what, proxy.endpoint) as program:
        program.wait_for_line("sent")
        return cut(witness, proxy, program, seconds, PERIOD_S)


def _restart(cell: CellProcess, witness: Witness, _chance: random.Random) -> list[str]:
    with tc.connect(cell.endpoint) as client:
        return restart(cell, client, witness)


def _freeze_watcher(_cell: CellProcess, witness: Witness, _chance: random.Random) -> list[str]:
    with Program("watches") as frozen:
        frozen.wait_for_line("watches")
        return watch_beside_frozen(witness, frozen)


def _join(cell: CellProcess, witness: Witness, _chance: random.Random) -> list[str]:
    with contextlib.ExitStack() as stack:
        holder = stack.enter_context(tc.connect(cell.endpoint))
        stack.enter_context(holder.control("holder", wait_s=60.0))
        holder.define_user_frame("bench", (0.5, 0, 0), (0.6, 0, 0), (0.5, 0.1, 0))
        return judge_joining(cell.endpoint, load_cell("puma"), witness)


def _send_garbage(cell: CellProcess, _witness: Witness, chance: random.Random) -> list[str]:
    return send_garbage(cell.endpoint, cell.keys, seed=chance.randrange(1 << 32), count=300)


ROWS = {
    "A1-real": repeat("hand_overs", _pass_around, TURNS),
    "A2": repeat("outages", _cut),
    "A5-real": repeat("restarts", _restart),
    "A6": repeat("presses", _press_in_flood, PRESSES),
    "B1": repeat("holders", _vanish),
    "B2": repeat("presses", _press, PRESSES),
    "C2": repeat("frozen_watchers", _freeze_watcher),
    "C3": repeat("joins", _join),
    "D": repeat("garbage", _send_garbage, 300),
}
"""B1 judges B3 as well."""
