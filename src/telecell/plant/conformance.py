"""Checks that any driver must pass: `python -m telecell.plant.conformance DRIVER CELL`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from telecell.models import load_cell
from telecell.plant import promises
from telecell.plant.drivers import load_driver
from telecell.plant.promises import ConformanceFailure, MakePlant


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of the contract.

    Attributes:
        name: short, for tables.
        text: what is promised.
        run: tries it on a fresh plant and raises `ConformanceFailure`.
    """

    name: str
    text: str
    run: Callable[[MakePlant], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a check; `reason` is empty when it passed."""

    check: Check
    reason: str

    @property
    def passed(self) -> bool:
        """Whether the promise was kept."""
        return not self.reason


def check_plant(make: MakePlant) -> list[Result]:
    """Run every check.

    Args:
        make: builds a fresh plant, not started, each time it is called.
    """
    return [Result(check, _find_failure(check, make)) for check in CHECKS]


def _find_failure(check: Check, make: MakePlant) -> str:
    try:
        check.run(make)
    except ConformanceFailure as failure:
        return str(failure)
    except Exception as error:  # a driver under test may do anything
        return f"{type(error).__name__}: {error}"
    return ""


CHECKS = (
    Check("arrays", "every array has the order and size of the cell, and finite values", promises.check_arrays),
    Check("ticks", "a step is one tick; measuring does not advance", promises.check_ticks),
    Check("comes up off", "no drive has power before it is commanded on", promises.check_comes_up_off),
    Check("holds", "a constant set-point is held", promises.check_holds),
    Check("follows", "set-points are followed", promises.check_follows),
    Check("off brakes", "OFF brakes at speed, then holds, and reports no power", promises.check_off_brakes),
    Check("power returns", "power comes back where the axes stand, without a jump", promises.check_power_returns),
    Check("free", "FREE has power, ignores set-points and does not sink", promises.check_free_ignores_set_points),
    Check("outputs", "every output can be switched", promises.check_outputs),
    Check("short commands", "what a command leaves out is filled in", promises.check_short_commands),
    Check("refusals", "wrong commands are refused by a typed error and nothing moves", promises.check_refusals),
    Check("snapshots", "a restored state goes on bit for bit, or save says that it cannot", promises.check_snapshots),
    Check("determinism", "the same commands give the same bits, where that is claimed", promises.check_determinism),
    Check("close", "close works twice, and without start", promises.check_close),
)


def format_results(results: Sequence[Result]) -> str:
    """A table for people: verdict, name, and what is promised or what went wrong."""
    rows = [("ok" if r.passed else "FAILED", r.check.name, r.reason or r.check.text) for r in results]
    return "\n".join(f"{verdict:7}{name:16}{text}" for verdict, name, text in rows)


def main(driver: str, cell_name: str) -> int:
    """Check a driver on a cell, print the table, and return the number of failures."""
    cell = load_cell(cell_name)
    factory = load_driver(driver)
    results = check_plant(lambda: factory(cell, seed=0))
    sys.stdout.write(format_results(results) + "\n")
    return sum(not result.passed for result in results)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m telecell.plant.conformance DRIVER CELL")
    sys.exit(main(*sys.argv[1:]))
