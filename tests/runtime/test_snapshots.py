"""Whatever is wrong with a snapshot, it is refused whole, or the cell goes on inside its limits."""

import contextlib

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.runtime import RunningCell, open_cell
from telecell.runtime.running import Snapshot


def prepare(plant: str) -> tuple[RunningCell, bytes]:
    cell = open_cell("puma", plant=plant)  # pyright: ignore[reportArgumentType]
    cell.go_to("puma", "work")
    cell.run(0.4)
    return cell, cell.save()


CELLS = {plant: prepare(plant) for plant in ("physics", "fake")}


def mutate(snapshot: bytes, changes: list[tuple[int, int]], cut: int) -> bytes:
    damaged = bytearray(snapshot)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    return bytes(damaged[: len(damaged) - cut])


@settings(max_examples=300)
@given(
    plant=st.sampled_from(sorted(CELLS)),
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4),
    cut=st.integers(0, 3),
)
def test_a_damaged_snapshot_is_refused_whole_or_stays_inside_the_limits(
    plant: str, changes: list[tuple[int, int]], cut: int
):
    cell, good = CELLS[plant]
    cell.restore(good)
    before = cell.state()
    try:
        cell.restore(mutate(good, changes, cut))
    except SnapshotMismatch:
        assert cell.state() == before
        return
    with contextlib.suppress(PlantDiverged):
        for _ in range(3):
            cell.step()
        for axis, state in zip(cell.cell.axes, cell.state().axes, strict=True):
            assert axis.software_limits[0] - 1e-5 <= state.q_desired <= axis.software_limits[1] + 1e-5


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(noise: bytes):
    cell, good = CELLS["physics"]
    cell.restore(good)
    before = cell.state()
    with pytest.raises(SnapshotMismatch):
        cell.restore(noise)
    assert cell.state() == before


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("target", (9.0,) * 6, "target: motion outside the limits"),
        ("acceleration", (1e50,) * 6, "acceleration: motion outside the limits"),
        ("target", (0.0,) * 5, "6 finite numbers"),
        ("velocity", (np.nan,) * 6, "6 finite numbers"),
        ("ticks", -1, "ticks"),
    ],
)
def test_a_motion_that_cannot_be_is_refused(field: str, value: object, text: str):
    cell, good = CELLS["physics"]
    cell.restore(good)
    saved = msgspec.msgpack.decode(good, type=Snapshot)
    follower = msgspec.structs.replace(saved.follower, **{field: value})
    with pytest.raises(SnapshotMismatch, match=text):
        cell.restore(msgspec.msgpack.encode(msgspec.structs.replace(saved, follower=follower)))
