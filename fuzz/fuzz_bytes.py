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
from typing import Any

import msgspec

from telecell.bus import Link, open_pair
from telecell.errors import SnapshotMismatch
from telecell.messages import Grant, Placement, Refused, Request, decode_request
from telecell.messages.moves import MoveJointsBy, MoveNamed, MovePose, MoveVia, StreamJoints
from telecell.messages.replies import Controlled
from telecell.messages.settings import DefineUserFrame, Power, SetTool, TakeControl
from telecell.messages.stopping import Stop
from telecell.runtime import RunningCell, start_cell

FAILURES = Path(__file__).parent / "failures"
POSTURE = (0.3, -1.2, 2.8, 0.0, 0.5, 0.0)
REQUESTS: tuple[tuple[type[Request], dict[str, Any]], ...] = (
    (MoveJointsBy, {"robot": "puma", "increments": (0.3, 0.0, 0.0, 0.0, 0.0, 0.0), "speed": 0.5}),
    (MovePose, {"robot": "puma", "target": Placement((0.45, 0.15, 0.2), (0.0, 1.0, 0.0, 0.0))}),
    (MoveVia, {"robot": "puma", "points": (POSTURE, POSTURE), "via": "average"}),
    (StreamJoints, {"robot": "puma", "joints": POSTURE}),
    (SetTool, {"tool": "jaw/fingers", "opening": 0.0, "force_N": 10.0}),
    (DefineUserFrame, {"name": "bench", "origin_m": (0, 0, 0), "on_x_m": (1, 0, 0), "towards_y_m": (0, 1, 0)}),
    (Stop, {"author": "fuzz"}),
)
Trial = tuple[Callable[[], bytes], Callable[[bytes], str]]
"""What makes good bytes, and what is done with them once they are damaged."""


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


def bring_up(plant: str) -> tuple[RunningCell, Grant]:
    """A puma that holds its place, under control and with power."""
    cell = start_cell("puma", plant=plant, keep_poses=False)
    grant = take_control(cell)
    cell.submit(Power(sequence=2, grant=grant, echo=cell.tick, robot="puma", on=True))
    for _ in range(5):
        cell.step()
    return cell, grant


def take_control(cell: RunningCell) -> Grant:
    """A new grant, under which sequence numbers begin anew."""
    cell.controller.holder.release()
    cell.submit(TakeControl(sequence=1, holder="fuzz"))
    (controlled,), _ = cell.step()
    assert isinstance(controlled, Controlled)
    return controlled.grant


def build_snapshot_trial(plant: str) -> Trial:
    """A good snapshot in mid-motion, and what to do with a damaged one."""
    cell, grant = bring_up(plant)
    cell.submit(MoveNamed(sequence=3, grant=grant, echo=cell.tick, robot="puma", pose="work"))
    for _ in range(100):
        cell.step()
    good = cell.save()

    def trial(damaged: bytes) -> str:
        cell.restore(good)
        try:
            cell.restore(damaged)
        except SnapshotMismatch:
            return "refused"
        for _ in range(5):
            cell.step()
        check(cell)
        lost = any(axis.stopped == "plant_lost" for axis in cell.state().axes)
        return "diverged" if lost else "taken"

    return lambda: good, trial


def build_link_trial(kind: type[Request], fields: dict[str, Any]) -> Trial:
    """A good request, and what a cell behind a link does with a damaged one: exactly one reply."""
    cell, _ = bring_up("fake")
    snapshot = cell.save()

    def make() -> bytes:
        cell.restore(snapshot)
        grant = take_control(cell)
        return msgspec.json.encode(kind(sequence=2, grant=grant, echo=cell.tick, **fields))

    def trial(damaged: bytes) -> str:
        raw, end = open_pair()
        with raw, Link(end, decode_request) as link:
            raw.send(damaged)
            received = link.maybe_receive()
        assert received is not None
        cell.submit(received)
        (reply,), _ = cell.step()
        for _ in range(5):
            cell.step()
        check(cell)
        return "refused" if isinstance(reply, Refused) else "taken"

    assert trial(make()) == "taken", f"{kind.__name__} is refused as it is"
    return make, trial


def check(cell: RunningCell) -> None:
    """No set-point outside the limits."""
    for axis, state in zip(cell.cell.axes, cell.state().axes, strict=True):
        low, high = axis.software_limits
        assert low - 1e-5 <= state.q_desired <= high + 1e-5, f"{axis.name} wants {state.q_desired}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    trials = [build_snapshot_trial(plant) for plant in ("physics", "fake")]
    trials += [build_link_trial(kind, fields) for kind, fields in REQUESTS]
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
