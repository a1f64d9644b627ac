"""A snapshot taken at any moment goes on bit for bit; a damaged one is refused whole, or stays inside the limits."""

import contextlib
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import telecell as tc
from telecell.client.in_process import InProcess
from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.messages import moves, stopping
from telecell.plant import PhysicsPlant
from telecell.runtime import RunningCell, start_cell
from telecell.runtime.running import Snapshot

NEAR = tc.deg(10, -80, 100, 0, 20, 0)
FAR = tc.deg(60, -60, 130, 20, 40, -30)

Situation = Callable[[RunningCell, tc.CellClient, tc.Manipulator], None]


def open_puma(plant: str = "physics", seed: int = 0) -> tuple[RunningCell, tc.CellClient, tc.Manipulator]:
    running = start_cell("puma", plant=plant, seed=seed, keep_poses=False)
    client = tc.CellClient.connect(InProcess(running))
    client.take_control("me")
    arm = client.manipulator("puma")
    arm.power(True)
    return running, client, arm


def move(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.move_joints(FAR)
    client.run(0.5)


def blend(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.set_tip_speed(1.0)
    for pose in (NEAR, FAR, NEAR):
        arm.move_joints(pose, scheme="parabolic")
    next(event for event in client.events(kinds=("segment_started",)) if event.segment == 2)
    client.run(0.02)


def go_on_a_line(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.move_joints(FAR).wait()
    arm.move_by((0.0, 0.0, -0.1), straight=True)
    client.run(0.2)


def pass_points(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.move_via([NEAR, FAR])
    client.run(0.5)


def stream(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    for step in range(20):
        client.send(moves.StreamJoints, robot="puma", joints=tuple(np.array(NEAR) + 0.01 * step)).result()
        client.run(0.012)


def pause(running: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    move(running, client, arm)
    client.send(stopping.Pause, robot="puma").result()
    client.run(0.05)


def stop(running: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    move(running, client, arm)
    client.stop()
    client.run(0.02)


def collide(running: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.set_tip_speed(1.0)
    move(running, client, arm)
    if isinstance(running.plant, PhysicsPlant):
        running.plant.data.qfrc_applied[running.plant.model.joint("puma/waist").dofadr] = -3000.0
        while not any(robot.mode == "stopping" for robot in client.state().robots):
            client.run(0.004)


def free(_: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.free("wrist_bend")
    client.run(0.05)


def lose_power(running: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    move(running, client, arm)
    arm.power(False)


def carry(running: RunningCell, client: tc.CellClient, arm: tc.Manipulator) -> None:
    arm.set_payload(1.0)
    arm.define_tool(tc.Pose.translation(0, 0, 0.1))
    arm.set_speed_factor(0.5)
    arm.grip(0.3, force_N=20.0)
    move(running, client, arm)


SITUATIONS: list[Situation] = [
    move,
    blend,
    go_on_a_line,
    pass_points,
    stream,
    pause,
    stop,
    collide,
    free,
    lose_power,
    carry,
]


def record(running: RunningCell, ticks: int) -> list:
    told = []
    for _ in range(ticks):
        _, happened = running.step()
        told.append((running.state(), happened))
    return told


def without_holder(told: list) -> list:
    return [(msgspec.structs.replace(state, holder=None), happened) for state, happened in told]


@pytest.mark.parametrize("plant", ["physics", "fake"])
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.__name__)
def test_a_restored_cell_goes_on_bit_for_bit(situation: Situation, plant: str):
    running, client, arm = open_puma(plant)
    situation(running, client, arm)
    saved = running.save()
    expected = record(running, 150)
    running.restore(saved)
    assert record(running, 150) == expected, "in the same cell"
    other = start_cell("puma", plant=plant, seed=5, keep_poses=False)
    other.restore(saved)
    assert without_holder(record(other, 150)) == without_holder(expected), "in another one"


def test_who_has_control_is_not_part_of_a_snapshot():
    running, client, _ = open_puma("fake")
    saved = running.save()
    client.release_control()
    running.restore(saved)
    assert running.state().holder is None


def prepare(plant: str) -> tuple[RunningCell, bytes]:
    running, client, arm = open_puma(plant)
    blend(running, client, arm)
    return running, running.save()


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
            low, high = axis.hardware_limits
            assert low - 0.05 <= state.q_desired <= high + 0.05


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(noise: bytes):
    cell, good = CELLS["physics"]
    cell.restore(good)
    before = cell.state()
    with pytest.raises(SnapshotMismatch):
        cell.restore(noise)
    assert cell.state() == before


def test_a_foreign_snapshot_is_refused():
    cell, _ = CELLS["fake"]
    other = start_cell("cirsse", plant="fake", keep_poses=False)
    with pytest.raises(SnapshotMismatch, match="another cell"):
        other.restore(cell.save())


def replace(value, path: tuple, new):
    """A copy of nested structs, tuples and dictionaries with one value different."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {**value, key: replace(value[key], rest, new)}
    if isinstance(value, tuple):
        return tuple(replace(item, rest, new) if i == key else item for i, item in enumerate(value))
    return msgspec.structs.replace(value, **{key: replace(getattr(value, key), rest, new)})


ARM = ("arms", "puma")
MOTION = (*ARM, "motion")
PLAN = (*MOTION, "segments", 0, "plan")


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        ((*PLAN, "goal"), (9.0,) * 6, "outside the limits|do not join"),
        ((*PLAN, "goal"), (0.0,) * 5, "damaged"),
        ((*MOTION, "time_s"), float("nan"), "damaged path time"),
        ((*MOTION, "rate", "rate"), 3.0, "path rate"),
        ((*ARM, "speed_factor"), -1.0, "damaged settings"),
        ((*ARM, "tool", "quaternion_wxyz"), (0.0, 0.0, 0.0, 0.0), "quaternion"),
        (("axes", "q_desired"), (float("inf"),) * 6, "damaged axes"),
        (("axes", "q_desired", 0), 50.0, "damaged axes"),
        (("axes", "drives"), (7,) * 6, "damaged axes"),
        (("axes", "latches"), ("tired",) * 6, "damaged axes"),
        (("openings",), (3.0,), "damaged setting"),
        (("arms",), {}, "another cell"),
    ],
)
def test_a_state_that_cannot_be_is_refused_and_everything_stays(path: tuple, value: object, text: str):
    cell, good = CELLS["fake"]
    cell.restore(good)
    before = cell.state()
    saved = msgspec.msgpack.decode(good, type=Snapshot)
    damaged = replace(saved, ("controller", *path), value)
    with pytest.raises(SnapshotMismatch, match=text):
        cell.restore(msgspec.msgpack.encode(damaged))
    assert cell.state() == before
