"""Runs a row until its time is over or something is wrong."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

CELLS = ("puma", "cirsse")
EVERY_S = 10.0


class Report(NamedTuple):
    """What a piece of a run brings: how much was done, and what was not kept."""

    done: dict[str, int]
    wrongs: list[str]


def run_for(seconds: float, reports: Iterable[Report]) -> Report:
    """Add up the reports; says from time to time how far it is."""
    begin = said = time.monotonic()
    total: Counter[str] = Counter()
    for report in reports:
        total.update(report.done)
        now = time.monotonic()
        if now - said > EVERY_S:
            print(f"{now - begin:.0f} s: {dict(total)}", flush=True)
            said = now
        if report.wrongs or now - begin > seconds:
            return Report(dict(total), report.wrongs)
    return Report(dict(total), [])
