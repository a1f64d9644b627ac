"""Damaged snapshots and link messages: each must be taken or refused by the error made for it, and nothing else.

    python -m fuzz.fuzz_bytes --runs 20000 [--seed 1]

Prints one summary line. The first input that misbehaves is kept in `fuzz/failures`, and the exit code is 1. A run is
repeated by its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from soak.faults import queue
from soak.operator import Operator
from telecell.bus import Link, open_pair
from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.messages import Refused, decode_request
from telecell.messages.moves import MoveJointsBy
from telecell.messages.settings import SetTool

FAILURES = Path(__file__).parent / "failures"


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few of them changed, cut, doubled or added, or with other digits."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(damaged) + 1)
        match chance.randrange(8):
            case 0 if place < len(damaged):
                damaged[place] = chance.randrange(256)
            case 1:
                del damaged[place : place + chance.choice((1, 8, 100))]
            case 2:
                damaged[place:place] = damaged[place : place + 8]
            case 3:
                damaged[place:place] = chance.randbytes(chance.choice((1, 8)))
            case _:
                change_digit(damaged, chance)
    return bytes(damaged)


def change_digit(damaged: bytearray, chance: random.Random) -> None:
    """Another number, so that text stays well-formed and the damage reaches whoever has to judge it."""
    digits = [place for place, byte in enumerate(damaged) if chr(byte).isdecimal()]
    if digits:
        damaged[chance.choice(digits)] = ord(chance.choice("0123456789e.-"))


Trial = tuple[Callable[[], bytes], Callable[[bytes], str]]
"""How to make good bytes, and what to do with damaged ones."""


def build_snapshot_trial(plant: str) -> Trial:
    """A snapshot in mid-motion."""
    operator = Operator("puma", plant).bring_up()
    queue(operator, "puma")
    running, good = operator.running, operator.running.save()

    def trial(damaged: bytes) -> str:
        running.restore(good)
        try:
            running.restore(damaged)
        except SnapshotMismatch:
            return "refused"
        try:
            for _ in range(5):
                running.step()
        except PlantDiverged:
            return "diverged"
        for axis, state in zip(running.cell.axes, running.state().axes, strict=True):
            low, high = axis.software_limits
            assert low - 1e-5 <= state.q_desired <= high + 1e-5, f"{axis.name} wants {state.q_desired}"
        return "taken"

    return lambda: good, trial


def build_link_trial(kind: type, **fields: object) -> Trial:
    """A fresh request for a cell behind a link, which answers whatever arrives."""
    operator = Operator("cirsse").bring_up()

    def trial(damaged: bytes) -> str:
        raw, end = open_pair()
        with raw, Link(end, decode_request) as link:
            raw.send(damaged)
            received = link.maybe_receive()
            assert received is not None
            operator.submit(received)
            (reply,) = operator.step()
            return "refused" if isinstance(reply, Refused) else "taken"

    return lambda: msgspec.json.encode(operator.build(kind, **fields)), trial


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trials = [build_snapshot_trial(plant) for plant in ("physics", "fake")]
    trials.append(build_link_trial(MoveJointsBy, robot="PL", increments=(0.1,) * 6))
    trials.append(build_link_trial(SetTool, tool="left_gripper/fingers", opening=0.5))
    tally: Counter[str] = Counter()
    for number in range(options.runs):
        chance = random.Random(f"{options.seed} {number}")
        make, trial = chance.choice(trials)
        damaged = mutate(make(), chance) or b"\x00"
        try:
            tally[trial(damaged)] += 1
        except Exception:
            FAILURES.mkdir(exist_ok=True)
            kept = FAILURES / f"{time.strftime('%Y%m%d-%H%M%S')}.bin"
            kept.write_bytes(damaged)
            traceback.print_exc()
            print(f"unexpected at run {number}, seed {options.seed}, input kept in {kept}")
            return 1
    print(f"{options.runs} runs, {', '.join(f'{n} {name}' for name, n in sorted(tally.items()))}, 0 unexpected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
