"""The cell of a simulated world: the real running cell, which may come up anew."""

from __future__ import annotations

import functools
import random
from pathlib import Path

from soak.simulation.naive import Variant
from soak.simulation.record import Delivery, Letter, Record, RecordingPlant, Tick
from telecell.contract import Drive
from telecell.messages import AnyRequest, CellState, MalformedRequest, decode_request
from telecell.models import Cell, load_cell
from telecell.runtime import RunningCell

FILE = Path(__file__).parent / "data" / "cell.toml"
PERIOD_S = 0.02
ROBOT = "table"


@functools.cache
def load_turntable() -> Cell:
    """The cell with one axis."""
    return load_cell(FILE)


class SimulatedCell:
    """Brings cells up one after the other, and keeps the record of all of them.

    Args:
        chance: draws the epochs.
        variant: how commands are judged.

    Attributes:
        record: what has passed.
    """

    def __init__(self, chance: random.Random, variant: Variant):
        self.record = Record(PERIOD_S)
        self._chance, self._variant = chance, variant
        self.restart()

    def restart(self) -> None:
        """Everything is forgotten; the drives are off."""
        self._plant = RecordingPlant(load_turntable(), period_s=PERIOD_S)
        self._running = RunningCell(self._plant.cell, self._plant, epoch=f"{self._chance.getrandbits(128):032x}")
        controller = self._running.controller
        controller.grants = self._variant.grants(controller.grants.epoch, controller.grants.profile)

    @property
    def tick_number(self) -> int:
        """Control periods since it came up."""
        return self._running.tick

    def tick(self, now_s: float, letters: list[Letter]) -> list[Delivery]:
        """One control period, in which letters are answered."""
        requests = [_decode(letter) for letter in letters]
        for request in requests:
            self._running.submit(request)
        replies, happened = self._running.step(now_s)
        deliveries = [
            Delivery(request, letter.made_s, reply)
            for request, letter, reply in zip(requests, letters, replies, strict=True)
        ]
        told, epoch = self._plant.told, self._running.controller.grants.epoch
        self.record.ticks.append(
            Tick(now_s, epoch, float(told.q_desired[0]), bool(told.drives[0] != Drive.OFF), deliveries, happened)
        )
        return deliveries

    def state(self) -> CellState:
        """What people are told."""
        return self._running.state()


def _decode(letter: Letter) -> AnyRequest:
    request = decode_request(letter.payload)
    assert not isinstance(request, MalformedRequest), request
    return request
