"""Physics and fake keep the same promises: the tests that any plant must pass."""

import numpy as np
import pytest

from telecell.contract import Command, Plant
from telecell.errors import SnapshotMismatch
from telecell.models import Cell, load_cell
from telecell.plant import FakePlant, PhysicsPlant


@pytest.fixture(scope="module")
def cell() -> Cell:
    return load_cell("puma")


@pytest.fixture(params=[PhysicsPlant, FakePlant])
def plant(request: pytest.FixtureRequest, cell: Cell) -> Plant:
    return request.param(cell)


def hold(cell: Cell, openings: float = 1.0) -> Command:
    return Command(np.array(cell.start), np.zeros(len(cell.axes)), np.full(len(cell.tools), openings))


def test_it_comes_up_in_the_start_pose(plant: Plant, cell: Cell):
    counts = np.array([axis.counts_per_unit for axis in cell.axes])
    assert np.abs(plant.measure().q_measured - cell.start).max() <= 0.5 / counts.min()
    assert plant.measure().tick == 0


def test_a_step_is_one_tick(plant: Plant, cell: Cell):
    assert plant.step(hold(cell)).tick == 1
    assert plant.step(hold(cell)).tick == 2
    assert plant.measure().tick == 2


def test_measuring_does_not_advance(plant: Plant, cell: Cell):
    plant.step(hold(cell))
    assert plant.measure().to_bytes() == plant.measure().to_bytes()


def test_every_array_has_the_cells_order_and_size(plant: Plant, cell: Cell):
    measured = plant.step(hold(cell))
    assert measured.q_measured.shape == measured.v_measured.shape == measured.torque.shape == (6,)
    assert measured.openings.shape == (1,)
    assert measured.beams.shape == (1,)
    assert measured.wrenches.shape == (1, 6)
    assert measured.parts.shape == (2, 7)


def test_positions_are_whole_encoder_counts(plant: Plant, cell: Cell):
    command = Command(np.array(cell.start) + 0.01, np.zeros(6), np.ones(1))
    for _ in range(50):
        plant.step(command)
    counts = plant.measure().q_measured * [axis.counts_per_unit or 1 for axis in cell.axes]
    assert np.abs(counts - np.rint(counts)).max() < 1e-6


def test_tools_close_and_open(plant: Plant, cell: Cell):
    for _ in range(250):
        plant.step(hold(cell, 0.0))
    assert plant.measure().openings[0] == pytest.approx(0.0, abs=0.02)
    for _ in range(250):
        plant.step(hold(cell, 1.0))
    assert plant.measure().openings[0] == pytest.approx(1.0, abs=0.02)


def test_restored_state_goes_on_bit_for_bit(plant: Plant, cell: Cell):
    command = Command(np.array(cell.start) + 0.05, np.zeros(6), np.zeros(1))
    plant.step(command)
    snapshot = plant.save()
    first = [plant.step(command).to_bytes() for _ in range(20)]
    plant.restore(snapshot)
    assert [plant.step(command).to_bytes() for _ in range(20)] == first


def test_a_damaged_snapshot_is_refused_and_nothing_changes(plant: Plant, cell: Cell):
    before = plant.step(hold(cell)).to_bytes()
    for damaged in (b"", b"\x00" * 10, plant.save()[:-40]):
        with pytest.raises(SnapshotMismatch):
            plant.restore(damaged)
    assert plant.measure().to_bytes() == before


def test_a_snapshot_of_another_cell_is_refused(plant: Plant):
    cirsse = load_cell("cirsse")
    other = PhysicsPlant(cirsse) if isinstance(plant, PhysicsPlant) else FakePlant(cirsse)
    with pytest.raises(SnapshotMismatch, match="another cell"):
        plant.restore(other.save())
