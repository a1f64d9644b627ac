"""Reading the fields of a plan that may come from a damaged snapshot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from telecell.errors import SnapshotMismatch
from telecell.geometry import FloatArray
from telecell.trajectories.limits import LARGEST
from telecell.trajectories.trajectory import LONGEST_S, SHORTEST_S


def read_fields(plan: msgspec.Struct, names: Sequence[str], dimensions: int = 1) -> list[FloatArray]:
    """Fields of a plan as arrays of one common shape.

    Raises:
        SnapshotMismatch: not numbers, empty, of different shapes, not finite, or above `LARGEST`.
    """
    arrays = [_read(plan, name, dimensions) for name in names]
    for name, array in zip(names, arrays, strict=True):
        if array.shape != arrays[0].shape:
            raise build_damage(plan, name, array.shape, f"{arrays[0].shape} as {names[0]}")
    return arrays


def read_positive(plan: msgspec.Struct, names: Sequence[str], count: int) -> list[FloatArray]:
    """Limits of a plan: `count` positive numbers each.

    Raises:
        SnapshotMismatch: something else.
    """
    arrays = read_fields(plan, names)
    for name, array in zip(names, arrays, strict=True):
        if len(array) != count or array.min() <= 0.0:
            raise build_damage(plan, name, array.tolist(), f"{count} positive numbers")
    return arrays


def build_damage(plan: msgspec.Struct, name: str, value: object, limit: str) -> SnapshotMismatch:
    """The error for one field of a plan."""
    return SnapshotMismatch(
        "damaged motion plan",
        where=f"{type(plan).__name__}.{name}",
        value=value,
        limit=limit,
        remedy="Restore another snapshot, or start the cell afresh.",
    )


def _read(plan: msgspec.Struct, name: str, dimensions: int) -> FloatArray:
    values = getattr(plan, name)
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.ndim != dimensions or array.size == 0:
        raise build_damage(plan, name, values, f"numbers in {dimensions} dimension(s)")
    # Also false for NaN.
    if not np.abs(array).max() <= LARGEST:
        raise build_damage(plan, name, values, f"finite numbers up to {LARGEST:g}")
    return array


def read_duration(plan: msgspec.Struct, name: str, moves: bool) -> float:
    """A time of a plan: `SHORTEST_S` to `LONGEST_S`, or 0 where nothing moves.

    Raises:
        SnapshotMismatch: something else.
    """
    duration_s = getattr(plan, name)
    if not (SHORTEST_S if moves else 0.0) <= duration_s <= LONGEST_S:
        raise build_damage(plan, name, duration_s, f"{SHORTEST_S:g} to {LONGEST_S:g} s, or 0 without motion")
    return duration_s
