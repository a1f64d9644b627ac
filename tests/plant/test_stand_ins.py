"""What physics and fake do alike when power is cut, doors open and states are restored."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from telecell.contract import Command, Drive
from telecell.errors import InputError, SnapshotMismatch, UnknownName
from telecell.models import Cell, load_cell
from telecell.plant import FakePlant, PhysicsPlant
from telecell.plant.stand_in import StandIn


@pytest.fixture(scope="module")
def cell() -> Cell:
    return load_cell("puma")


@pytest.fixture(params=[PhysicsPlant, FakePlant])
def plant(request: pytest.FixtureRequest, cell: Cell) -> StandIn:
    return request.param(cell)


def test_cut_power_stays_away_until_every_drive_was_commanded_off(plant, cell: Cell):
    on, off = Command.holding(cell), Command.holding(cell, drive=Drive.OFF)
    one_off = replace(on, drives=np.array([0, 1, 1, 1, 1, 1], np.int8))
    assert plant.step(on).powered.all()
    plant.cut_power()
    for command in (on, one_off, on, off):
        assert not plant.step(command).powered.any()
    assert plant.step(on).powered.all()


def test_power_cut_while_off_needs_no_more_than_that(plant, cell: Cell):
    plant.step(Command.holding(cell, drive=Drive.OFF))
    plant.cut_power()
    plant.step(Command.holding(cell, drive=Drive.OFF))
    assert plant.step(Command.holding(cell)).powered.all()


def test_drives_are_switched_one_by_one(plant, cell: Cell):
    drives = np.array([Drive.SERVO, Drive.OFF, Drive.SERVO, Drive.FREE, Drive.SERVO, Drive.OFF], np.int8)
    measured = plant.step(replace(Command.holding(cell), drives=drives))
    assert measured.powered.tolist() == [True, False, True, True, True, False]
    goal = np.array(cell.start) + 0.02
    for _ in range(250):
        measured = plant.step(replace(Command.holding(cell, goal), drives=drives))
    followed = np.abs(measured.q_measured - goal) < 0.005
    stayed = np.abs(measured.q_measured - cell.start) < 0.005
    assert followed.tolist() == [True, False, True, False, True, False]
    assert stayed.tolist() == [False, True, False, True, False, True]


def test_inputs_come_up_normal_and_are_measured_from_the_next_step(plant, cell: Cell):
    assert plant.measure().inputs.tolist() == [True, True]
    before = plant.step(Command.holding(cell))
    plant.set_input("door", False)
    assert before.inputs.tolist() == [True, True], "a measurement does not change afterwards"
    assert plant.step(Command.holding(cell)).inputs.tolist() == [False, True]


def test_outputs_are_what_was_commanded(plant, cell: Cell):
    assert plant.outputs.tolist() == [False]
    plant.step(replace(Command.holding(cell), outputs=np.array([True])))
    assert plant.outputs.tolist() == [True]


def test_an_output_is_not_set_by_hand(plant):
    with pytest.raises(InputError, match=r"signal valve: an output is set by commands"):
        plant.set_input("valve", True)
    with pytest.raises(UnknownName, match=r"no signal of that name, got 'dor'.*Did you mean 'door'"):
        plant.set_input("dor", True)


def test_a_snapshot_carries_power_drives_and_signals(plant, cell: Cell):
    plant.set_input("panic", False)
    plant.step(replace(Command.holding(cell), outputs=np.array([True]), drives=np.full(6, Drive.FREE, np.int8)))
    plant.cut_power()
    saved = plant.save()
    plant.set_input("panic", True)
    plant.step(Command.holding(cell, drive=Drive.OFF))
    plant.restore(saved)
    assert plant.measure().powered.all()
    assert plant.outputs.tolist() == [True]
    measured = plant.step(Command.holding(cell))
    assert not measured.powered.any()
    assert measured.inputs.tolist() == [True, False]


@pytest.mark.parametrize("drives", [b"\x07" * 6, b"\x00" * 5, b""])
def test_a_snapshot_with_impossible_drives_is_refused_and_nothing_changes(plant, cell: Cell, drives: bytes):
    before = plant.step(Command.holding(cell)).to_bytes()
    saved = msgspec.msgpack.decode(plant.save())
    saved["panel"]["drives"] = drives
    with pytest.raises(SnapshotMismatch):
        plant.restore(msgspec.msgpack.encode(saved))
    assert plant.measure().to_bytes() == before
