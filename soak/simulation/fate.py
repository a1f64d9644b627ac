"""Everything that goes wrong in one run, drawn from its seed before it begins."""

from __future__ import annotations

import random
from typing import NamedTuple

from telecell.bus.impairment import Impairment

SECONDS = 20.0
"""Length of a run."""

Span = tuple[float, float]


class PersonFate(NamedTuple):
    """What happens to one person.

    Attributes:
        rate: of the own clock.
        jumps: when the own clock is set, and by how much.
        pauses: when the process stands still.
        hangs: when its script stands still, while the client library in the same process goes on.
        crashes: from when until when there is no process.
        up: towards the cell.
        down: from the cell.
    """

    rate: float
    jumps: list[tuple[float, float]]
    pauses: list[Span]
    hangs: list[Span]
    crashes: list[Span]
    up: Impairment
    down: Impairment

    def read_clock(self, now_s: float) -> float:
        """The own clock at a true moment."""
        return self.rate * now_s + sum(by_s for at_s, by_s in self.jumps if at_s <= now_s)


class CellFate(NamedTuple):
    """What happens to the cell: it comes up anew, or its loop stands still."""

    restarts: list[Span]
    stalls: list[Span]


def draw_person(chance: random.Random) -> PersonFate:
    """The fate of one person."""
    rough = chance.random() < 0.5
    return PersonFate(
        rate=chance.choice((1.0, chance.uniform(0.5, 2.0))),
        jumps=[(chance.uniform(0.0, SECONDS), chance.uniform(-2.0, 5.0)) for _ in range(chance.choice((0, 0, 1)))],
        pauses=_draw_spans(chance, chance.randint(0, 4), 0.05, chance.choice((0.5, 1.5, 5.0))),
        hangs=_draw_spans(chance, chance.randint(0, 2), 0.05, chance.choice((0.5, 1.5, 5.0))),
        crashes=_draw_spans(chance, chance.choice((0, 0, 1)), 0.3, 3.0),
        up=_draw_link(chance, rough),
        down=_draw_link(chance, rough),
    )


def draw_cell(chance: random.Random, restarts: int | None = None) -> CellFate:
    """The fate of the cell.

    Args:
        chance: from which it is drawn.
        restarts: how often the cell comes up anew; drawn, too, if left out.
    """
    drawn = chance.choice((0, 0, 1, 2))
    return CellFate(
        restarts=_draw_spans(chance, drawn if restarts is None else restarts, 0.1, 0.6),
        stalls=_draw_spans(chance, chance.choice((0, 1, 2)), 0.03, 1.2),
    )


def _draw_link(chance: random.Random, rough: bool) -> Impairment:
    outages = tuple(_draw_spans(chance, chance.choice((0, 0, 1, 2)), 0.05, chance.choice((0.6, 4.0))))
    if not rough:
        return Impairment(delay_s=chance.uniform(0.0, 0.03), jitter_s=0.01, outages=outages)
    return Impairment(
        delay_s=chance.uniform(0.0, 0.12),
        jitter_s=chance.choice((0.02, 0.1, 0.4)),
        loss=chance.choice((0.0, 0.01, 0.1)),
        duplication=chance.choice((0.0, 0.1)),
        reordering=chance.choice((0.0, 0.1, 0.3)),
        outages=outages,
    )


def _draw_spans(chance: random.Random, count: int, shortest_s: float, longest_s: float) -> list[Span]:
    return sorted(_draw_span(chance, shortest_s, longest_s) for _ in range(count))


def _draw_span(chance: random.Random, shortest_s: float, longest_s: float) -> Span:
    begin_s = chance.uniform(0.5, SECONDS)
    return begin_s, begin_s + chance.uniform(shortest_s, longest_s)


def is_within(now_s: float, spans: list[Span]) -> bool:
    """Whether a moment is in one of some spans."""
    return any(begin_s <= now_s < end_s for begin_s, end_s in spans)
