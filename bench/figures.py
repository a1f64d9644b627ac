"""How a figure is measured and printed."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable


def time_us(action: Callable[[], object], calls: int) -> float:
    """Mean time of one call over a number of calls, microseconds."""
    begin = time.perf_counter()
    for _ in range(calls):
        action()
    return (time.perf_counter() - begin) / calls * 1e6


def compare_us(actions: dict[str, Callable[[], object]], calls: int, repeats: int = 7) -> dict[str, float]:
    """Median time of each action, measured in turns so that a noisy moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(repeats):
        for name, action in actions.items():
            times[name].append(time_us(action, calls))
    return {name: statistics.median(values) for name, values in times.items()}


def report(figure: str, **values: object) -> None:
    """Print one line."""
    rounded = {key: round(value, 3) if isinstance(value, float) else value for key, value in values.items()}
    print(json.dumps({"figure": figure, **rounded}), flush=True)
