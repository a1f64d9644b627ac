"""Damaged snapshots and link messages: each must be taken or refused by the error made for it, and nothing else.

    python fuzz/fuzz_bytes.py --runs 20000 [--seed 1]

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

from telecell.bus import Link, open_pair
from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.messages import AnyRequest, MoveAxes, SetTool
from telecell.runtime import open_cell

FAILURES = Path(__file__).parent / "failures"
REQUESTS = (
    MoveAxes(sequence=1, targets={"left_cart/linear": -1.0, "left_puma/waist": 0.3}),
    SetTool(sequence=2, tool="left_gripper/fingers", opening=0.0),
)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few of them changed, cut, doubled or added."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(damaged) + 1)
        match chance.randrange(4):
            case 0 if place < len(damaged):
                damaged[place] = chance.randrange(256)
            case 1:
                del damaged[place : place + chance.choice((1, 8, 100))]
            case 2:
                damaged[place:place] = damaged[place : place + 8]
            case _:
                damaged[place:place] = chance.randbytes(chance.choice((1, 8)))
    return bytes(damaged)


def build_snapshot_trial(plant: str) -> tuple[bytes, Callable[[bytes], str]]:
    """A good snapshot, and what to do with a damaged one."""
    cell = open_cell("puma", plant=plant)  # pyright: ignore[reportArgumentType]
    cell.go_to("puma", "work")
    cell.run(0.4)
    good = cell.save()

    def trial(damaged: bytes) -> str:
        cell.restore(good)
        try:
            cell.restore(damaged)
        except SnapshotMismatch:
            return "refused"
        try:
            cell.run(0.02)
        except PlantDiverged:
            return "diverged"
        for axis, state in zip(cell.cell.axes, cell.state().axes, strict=True):
            low, high = axis.software_limits
            assert low - 1e-5 <= state.q_desired <= high + 1e-5, f"{axis.name} wants {state.q_desired}"
        return "taken"

    return good, trial


def build_link_trial(request: AnyRequest) -> tuple[bytes, Callable[[bytes], str]]:
    """A good message, and what a cell behind a link does with a damaged one."""
    cell = open_cell("cirsse", plant="fake")

    def trial(damaged: bytes) -> str:
        raw, end = open_pair()
        with raw, Link(end, msgspec.json.Decoder(AnyRequest)) as link:
            raw.send(damaged)
            received = link.maybe_receive()
            if received is None:
                assert link.counts.malformed == 1, link.counts
                return "refused"
            reply = cell.handle(received)
            cell.step()
            return "refused" if reply.error else "taken"

    return msgspec.json.encode(request), trial


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trials = [build_snapshot_trial(plant) for plant in ("physics", "fake")]
    trials += [build_link_trial(request) for request in REQUESTS]
    tally: Counter[str] = Counter()
    for number in range(options.runs):
        chance = random.Random(f"{options.seed} {number}")
        good, trial = chance.choice(trials)
        damaged = mutate(good, chance) or b"\x00"
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
