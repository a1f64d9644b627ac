"""Cell, people and links, moved on together through true time."""

from __future__ import annotations

import random

import msgspec

from soak.simulation.cell import PERIOD_S, SimulatedCell
from soak.simulation.fate import SECONDS, draw_cell, is_within
from soak.simulation.naive import REAL, Variant
from soak.simulation.person import Packet
from soak.simulation.record import Letter, Record
from soak.simulation.seat import PATHS, QUANTUM_S, Seat

QUANTA_PER_TICK = round(PERIOD_S / QUANTUM_S)
TICKS_PER_STATE = 2
"""How often people are told the state: less often than in life, for the sake of speed."""


class World:
    """One run.

    Args:
        seed: of everything.
        variant: how the cell judges commands.
        restarts: of the cell; drawn from the seed if left out.
    """

    def __init__(self, seed: int, variant: Variant, restarts: int | None):
        chance = random.Random(f"{seed}/cell")
        self._fate = draw_cell(chance, restarts)
        self._cell = SimulatedCell(chance, variant)
        self._seats = [Seat(n, str(seed), stamped=variant.stamped) for n in range(chance.choice((3, 4)))]
        self._is_down = False

    def run(self) -> Record:
        """Everything until the end."""
        for quantum in range(round(SECONDS / QUANTUM_S)):
            now_s = quantum * QUANTUM_S
            for seat in self._seats:
                seat.live(now_s)
            if quantum % QUANTA_PER_TICK == 0:
                self._tick(now_s)
        return self._cell.record

    def _tick(self, now_s: float) -> None:
        if is_within(now_s, self._fate.restarts):
            self._is_down = True
            self._take_letters(now_s)  # lost: nobody is there
        elif not is_within(now_s, self._fate.stalls):
            if self._is_down:
                self._cell.restart()
                self._is_down = False
            self._exchange(now_s)

    def _take_letters(self, now_s: float) -> list[tuple[Seat, Letter]]:
        return [(seat, letter) for path in PATHS for seat in self._seats for letter in seat.take(path, now_s)]

    def _exchange(self, now_s: float) -> None:
        arrived = self._take_letters(now_s)
        deliveries = self._cell.tick(now_s, [letter for _, letter in arrived])
        for (seat, _), delivery in zip(arrived, deliveries, strict=True):
            seat.tell(Packet(delivery.request.sender, msgspec.json.encode(delivery.reply)), now_s)
        if self._cell.tick_number % TICKS_PER_STATE == 0:
            news = Packet(None, msgspec.json.encode(self._cell.state()))
            for seat in self._seats:
                seat.tell(news, now_s)


def simulate(seed: int, variant: Variant = REAL, restarts: int | None = None) -> Record:
    """One run from its seed; the cell may judge commands otherwise, or be restarted more often."""
    return World(seed, variant, restarts).run()
