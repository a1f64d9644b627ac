"""Row A3: nothing outside limits, whatever is commanded."""

from __future__ import annotations

from collections.abc import Iterator

from soak.hostile import Hostile, attack
from soak.operator import Operator
from soak.runner import CELLS, Report

COMMANDS = 1_000_000
"""Hostile commands per cell."""

BATCH = 2_000
PER_TICK = 6


def run(seed: int) -> Iterator[Report]:
    """Hostile commands against every robot model, batch by batch."""
    operators = [Operator(cell) for cell in CELLS]
    for number in range(COMMANDS // BATCH):
        for operator in operators:
            operator.restart().bring_up()
            attack(operator, Hostile(operator, seed + number), BATCH, PER_TICK)
            yield Report({"commands": BATCH, "periods": operator.observer.periods}, operator.list_wrongs())
