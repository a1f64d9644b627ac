"""Row A5: a restarted cell honours no old grant."""

from __future__ import annotations

from collections.abc import Iterator

from soak.a1_grants import spread, try_seed
from soak.runner import Report

RESTARTS = 8
"""In each run of twenty seconds."""


def run(seed: int) -> Iterator[Report]:
    """Simulated worlds in which the cell comes up again and again."""
    return spread(try_restarts, seed)


def try_restarts(seed: int) -> Report:
    """One world with many restarts."""
    return try_seed(seed, RESTARTS)
