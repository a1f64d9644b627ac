"""A restored cell goes on bit for bit, whatever it was doing; a damaged snapshot is refused whole."""

import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soak.faults import queue, stream
from soak.operator import Operator
from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.messages import AnyEvent, CellState, granting, moves, stopping
from telecell.messages import settings as set_
from telecell.runtime import RunningCell, start_cell
from telecell.runtime.running import Snapshot

BringUp = Callable[..., Operator]
Future = list[tuple[CellState, tuple[AnyEvent, ...]]]


def blend(operator: Operator) -> None:
    """Between two segments: both are under way."""
    queue(operator, "puma")
    operator.run_until(lambda: sum(s.started for s in get_segments(operator)) > 1, 5.0)


def get_segments(operator: Operator) -> list[Any]:
    return list(operator.running.controller.arms["puma"].motion.timeline.segments)


def end(kind: type) -> Callable[[Operator], None]:
    def act(operator: Operator) -> None:
        queue(operator, "puma")
        operator.ask(kind, **({"author": "watcher"} if kind is stopping.Stop else {"robot": "puma"}))
        operator.run(0.02)

    return act


def brake(operator: Operator) -> None:
    """On a ramp from the measured state."""
    queue(operator, "puma")
    arm = operator.running.controller.arms["puma"]
    measured = operator.running.plant.measure()
    arm.motion.brake(measured.q_measured, measured.v_measured)
    operator.step()


def switch_off(operator: Operator) -> None:
    """On its ramp, with the power to go at its end."""
    queue(operator, "puma")
    operator.ask(set_.Power, robot="puma", on=False)


SITUATIONS: dict[str, Callable[[Operator], object]] = {
    "holding": lambda operator: operator.step(),
    "moving": lambda operator: queue(operator, "puma"),
    "blending": blend,
    "tracking": lambda operator: stream(operator, "puma"),
    "halting": end(stopping.Halt),
    "stopping": end(stopping.Stop),
    "pausing": end(stopping.Pause),
    "braking": brake,
    "switching off": switch_off,
    "free": lambda operator: operator.ask(set_.Free, robot="puma"),
    "line": lambda operator: operator.ask(moves.MovePoseBy, robot="puma", translation_m=(0, 0, -0.1)),
}


def look_ahead(running: RunningCell, ticks: int = 150) -> Future:
    """What happens next; who has control is the present's, not the snapshot's."""
    future = []
    for _ in range(ticks):
        _, happened = running.step()
        future.append((forget_holder(running.state()), happened))
    return future


def forget_holder(state: CellState) -> CellState:
    robots = tuple(msgspec.structs.replace(robot, holder=None) for robot in state.robots)
    return msgspec.structs.replace(state, epoch="", grants=(), robots=robots)


@pytest.mark.parametrize("plant", ["fake", "physics"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_restored_cell_goes_on_bit_for_bit(bring_up: BringUp, situation: str, plant: str):
    operator = bring_up(plant)
    SITUATIONS[situation](operator)
    running = operator.running
    saved = running.save()
    first = look_ahead(running)
    running.restore(saved)
    assert look_ahead(running) == first


@pytest.mark.parametrize("plant", ["fake", "physics"])
def test_another_process_with_another_seed_goes_on_the_same(bring_up: BringUp, plant: str):
    operator = bring_up(plant)
    blend(operator)
    saved = operator.running.save()
    other = start_cell("puma", plant=plant, seed=5, keep_poses=False)
    other.restore(saved)
    assert look_ahead(other) == look_ahead(operator.running)


def test_grants_are_of_the_present_and_not_of_the_snapshot(bring_up: BringUp):
    operator = bring_up()
    saved = operator.running.save()
    operator.ask(granting.ReleaseGrant)
    operator.take("another", source="program")
    operator.send(granting.Acquire, sender="Bob", holder="Bob", wait=True)
    operator.run(0.9)
    operator.running.restore(saved)
    state = operator.running.state()
    assert ([grant.holder for grant in state.grants], state.waiting) == (["another"], ("Bob",))
    assert (state.grants[0].held_s, state.grants[0].quiet_s) == (0.0, 0.0)
    for _ in range(250):
        operator.running.step()
    assert operator.running.state().grants
    operator.running.step()
    assert operator.running.state().grants == ()


def test_settings_are_part_of_a_snapshot(bring_up: BringUp):
    operator = bring_up()
    operator.ask(set_.SetSpeedFactor, robot="puma", factor=0.25)
    operator.ask(set_.SetTipSpeed, robot="puma", speed_m_s=0.5)
    operator.ask(set_.SetSignal, name="valve", value=True)
    operator.ask(set_.SavePose, robot="puma", name="here")
    saved = operator.running.save()
    other = start_cell("puma", plant="fake", keep_poses=False)
    other.restore(saved)
    robot = other.state().robots[0]
    assert (robot.speed_factor, robot.tip_speed_m_s) == (0.25, 0.5)
    assert other.state().signals["valve"]
    assert "here" in other.controller.arms["puma"].saved_poses


def test_a_foreign_snapshot_is_refused(bring_up: BringUp):
    puma = bring_up().running
    with pytest.raises(SnapshotMismatch, match="another cell"):
        puma.restore(bring_up(cell="cirsse").running.save())
    with pytest.raises(SnapshotMismatch, match="not a snapshot"):
        puma.restore(b"nonsense")


# Damage

_PREPARED: dict[str, tuple[RunningCell, bytes]] = {}


def prepare(plant: str) -> tuple[RunningCell, bytes]:
    if plant not in _PREPARED:
        operator = Operator("puma", plant).bring_up()
        queue(operator, "puma")
        _PREPARED[plant] = operator.running, operator.running.save()
    return _PREPARED[plant]


def mutate(snapshot: bytes, changes: list[tuple[int, int]], cut: int) -> bytes:
    damaged = bytearray(snapshot)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    return bytes(damaged[: len(damaged) - cut])


@settings(max_examples=300)
@given(
    plant=st.sampled_from(["fake", "physics"]),
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4),
    cut=st.integers(0, 3),
)
def test_a_damaged_snapshot_is_refused_whole_or_stays_inside_the_limits(
    plant: str, changes: list[tuple[int, int]], cut: int
):
    running, good = prepare(plant)
    running.restore(good)
    before = running.state()
    try:
        running.restore(mutate(good, changes, cut))
    except SnapshotMismatch:
        assert running.state() == before
        return
    with contextlib.suppress(PlantDiverged):
        for _ in range(3):
            running.step()
        for axis, state in zip(running.cell.axes, running.state().axes, strict=True):
            assert axis.software_limits[0] - 1e-5 <= state.q_desired <= axis.software_limits[1] + 1e-5


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(noise: bytes):
    running, good = prepare("physics")
    running.restore(good)
    before = running.state()
    with pytest.raises(SnapshotMismatch):
        running.restore(noise)
    assert running.state() == before


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("axes", "q_desired"), (float("nan"),) * 6),
        (("axes", "drives"), (9,) * 6),
        (("axes", "latches"), (None,) * 5),
        (("openings",), (2.0,)),
        (("tip_speeds_m_s",), (-1.0,)),
        (("modes",), {}),
        (("now_s",), float("inf")),
    ],
    ids=lambda value: ".".join(value) if isinstance(value, tuple) and isinstance(value[0], str) else None,
)
def test_a_state_that_cannot_be_is_refused(path: tuple[str, ...], value: object):
    running, good = prepare("fake")
    running.restore(good)
    before = running.state()
    saved = msgspec.msgpack.decode(good, type=Snapshot)
    controller = replace_at(saved.controller, path, value)
    with pytest.raises(SnapshotMismatch):
        running.restore(msgspec.msgpack.encode(msgspec.structs.replace(saved, controller=controller)))
    assert running.state() == before


def replace_at(state: Any, path: tuple[str, ...], value: object) -> Any:
    name, *rest = path
    inner = replace_at(getattr(state, name), tuple(rest), value) if rest else value
    return msgspec.structs.replace(state, **{name: inner})
