"""Row A4: no motion before reset, after any stop."""

from __future__ import annotations

import random
from collections.abc import Iterator

from soak.faults import FAULTS, FaultyPlant, get_plant, strike
from soak.operator import Operator
from soak.runner import CELLS, Report


def run(seed: int) -> Iterator[Report]:
    """Every cause, in every situation, on every robot, again and again."""
    chance = random.Random(seed)
    operators = [Operator(cell, FaultyPlant) for cell in CELLS]
    while True:
        operator = chance.choice(operators)
        robot = chance.choice(operator.running.cell.robots).name
        cause = chance.choice(sorted(FAULTS))
        situation = chance.choice(FAULTS[cause].situations)
        get_plant(operator).mend()
        operator.restart().bring_up()
        operator.run(chance.random())
        strike(operator, robot, cause, situation)
        wrongs = [f"{cause} of {robot} in {situation}: {wrong}" for wrong in operator.list_wrongs()]
        yield Report({"stops": 1, "periods": operator.observer.periods}, wrongs)
