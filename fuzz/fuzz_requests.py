"""Random requests, good and bad, many per tick: the controller answers each of them once and keeps every limit.

    python -m fuzz.fuzz_requests --runs 500000 [--seed 1] [--cell cirsse]

Prints one summary line. A run is repeated by its seed.
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings

from soak.hostile import Hostile, attack
from soak.operator import Operator

BATCH = 5_000
PER_TICK = 120
SPITE = 0.35


def fuzz(cell: str, runs: int, seed: int) -> list[str]:
    """Send requests in batches, each to a cell that has just come up; returns what was not kept."""
    operator = Operator(cell)
    for number in range(0, runs, BATCH):
        operator.restart().bring_up()
        attack(operator, Hostile(operator, seed + number, SPITE), min(BATCH, runs - number), PER_TICK)
        if wrongs := operator.list_wrongs():
            return [f"batch of seed {seed + number}", *wrongs]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cell", default="puma")
    options = parser.parse_args()
    warnings.simplefilter("error")
    try:
        wrongs = fuzz(options.cell, options.runs, options.seed)
    except Exception:
        traceback.print_exc()
        wrongs = ["the controller raised an error"]
    print(f"{options.runs} requests, seed {options.seed}: {wrongs[0] if wrongs else '0 unexpected'}")
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
