"""How old publications are when they arrive, and which are missing."""

from __future__ import annotations

import statistics
from collections import defaultdict
from typing import NamedTuple

WARM_UP_S = 1.0
"""What happens before everybody is connected does not count."""


class Delivery(NamedTuple):
    """How publications were delivered; of several listeners all together."""

    received: int
    lost: int
    median_us: float
    p99_us: float


class Arrivals:
    """What one listener has heard, after the first second."""

    def __init__(self) -> None:
        self.ages_us: list[float] = []
        self._begin_s: float | None = None
        self._numbers: dict[str, list[int]] = defaultdict(list)

    def note(self, source: str, number: int, sent_s: float, now_s: float) -> None:
        """A publication has arrived."""
        if self._begin_s is None:
            self._begin_s = now_s
        if now_s - self._begin_s > WARM_UP_S:
            self._numbers[source].append(number)
            self.ages_us.append((now_s - sent_s) * 1e6)

    def count_lost(self) -> int:
        """How many numbers are missing between the first and the last of each source."""
        return sum(max(numbers) - min(numbers) + 1 - len(set(numbers)) for numbers in self._numbers.values())


def summarize(ages_us: list[float], lost: int) -> Delivery:
    """All of it in four figures."""
    return Delivery(len(ages_us), lost, statistics.median(ages_us), find_p99(ages_us))


def find_p99(values: list[float]) -> float:
    """What 99 of 100 values do not exceed."""
    return sorted(values)[int(0.99 * (len(values) - 1))]
