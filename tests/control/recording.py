"""What was commanded, tick by tick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soak.operator import Operator

Array = NDArray[np.float64]


def record(operator: Operator, seconds: float) -> tuple[Array, Array]:
    """(ticks, axes) positions and velocities of the set-points while time passes."""
    rows = []
    for _ in range(round(seconds / operator.running.plant.period_s)):
        operator.step()
        rows.append((operator.observer.command.q_desired, operator.observer.command.v_desired))
    positions, velocities = zip(*rows, strict=True)
    return np.array(positions), np.array(velocities)


def record_until_still(operator: Operator) -> tuple[Array, Array]:
    """The same until no robot is under way."""
    rows = [record(operator, operator.running.plant.period_s)]
    while {"moving", "tracking", "stopping"} & set(operator.books.modes.values()):
        rows.append(record(operator, operator.running.plant.period_s))
    positions, velocities = zip(*rows, strict=True)
    return np.concatenate(positions), np.concatenate(velocities)


def measure_distances(positions: Array, start: Array, goal: Array) -> Array:
    """How far each position is from the straight line between two postures."""
    along = (goal - start) / np.linalg.norm(goal - start)
    ways = positions - start
    return np.linalg.norm(ways - np.outer(ways @ along, along), axis=1)
