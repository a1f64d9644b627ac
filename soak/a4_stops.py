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
        fault = chance.choice(sorted(FAULTS))
        situation = chance.choice(FAULTS[fault].situations)
        get_plant(operator).mend()
        operator.restart().bring_up()
        operator.run(chance.random())
        strike(operator, robot, fault, situation)
        wrongs = [f"{fault}, {robot} in {situation}: {wrong}" for wrong in operator.list_wrongs()]
        yield Report({"stops": 1, "periods": operator.observer.periods}, wrongs)
