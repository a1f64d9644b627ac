"""One row of the table of figures: `python -m soak A3 [--seconds 600] [--seed 1]`.

Prints one JSON line with counts; the exit code is 1 if anything was not kept.
"""

from __future__ import annotations

import argparse
import json
import sys

from soak import a1_grants, a3_limits, a4_stops, a5_restarts, c1_load
from soak.real import rows as real
from soak.runner import run_for

ROWS = {
    "A1": a1_grants.run,
    "A3": a3_limits.run,
    "A4": a4_stops.run,
    "A5": a5_restarts.run,
    "C1": c1_load.run,
    **real.ROWS,
}


def main() -> int:
    """Run a row."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("row", choices=sorted(ROWS))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = run_for(options.seconds, ROWS[options.row](options.seed))
    line = {"row": options.row, "seed": options.seed, **report.done, "violations": len(report.wrongs)}
    print(json.dumps({**line, "first": report.wrongs[:3]}), flush=True)
    return 1 if report.wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
