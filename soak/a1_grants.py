"""Row A1: nobody moves a robot without its grant, whatever happens to cell, people and links."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Callable, Iterator

from soak.runner import Report
from soak.simulation.judge import Judge
from soak.simulation.world import simulate

BATCH = 64
"""Runs that are given out at once, so that few processors wait for the last of them."""


def run(seed: int) -> Iterator[Report]:
    """Simulated worlds, seed after seed, on every processor."""
    return spread(try_seed, seed)


def spread(try_one: Callable[[int], Report], seed: int) -> Iterator[Report]:
    """The reports of seed after seed, from all processors."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        for first in itertools.count(seed, BATCH):
            yield from pool.imap_unordered(try_one, range(first, first + BATCH))


def try_seed(seed: int, restarts: int | None = None) -> Report:
    """One world and its judge.

    Args:
        seed: of the world.
        restarts: of its cell; drawn from the seed if left out.
    """
    record = simulate(seed, restarts=restarts)
    judgement = Judge(record.period_s)
    for tick in record.ticks:
        judgement.review(tick)
    done = {
        "seeds": 1,
        "ticks": len(record.ticks),
        "restarts": len({tick.epoch for tick in record.ticks}) - 1,
        "motions": judgement.motions,
        "requests": sum(len(tick.deliveries) for tick in record.ticks),
    }
    return Report(done, [f"seed {seed}: {wrong}" for wrong in judgement.wrongs])
