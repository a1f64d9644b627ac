"""What goes wrong in the cell is raised where the program waits, with the cause and the way out."""

from dataclasses import replace

import pytest

import telecell as tc
from telecell.client.in_process import InProcess
from telecell.contract import Command, Measurement
from telecell.errors import PlantLost
from telecell.models import load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell

FAR = tc.deg(90, -90, 90, 0, 0, 0)


class FaultyPlant(FakePlant):
    """A robot behind a cable that can be cut, with a fuse that can be taken out."""

    cut = False
    fused = True

    def step(self, command: Command) -> Measurement:
        if self.cut:
            raise PlantLost("no answer", where="cable")
        measured = super().step(command)
        return measured if self.fused else replace(measured, powered=measured.powered & False)

    def measure(self) -> Measurement:
        measured = super().measure()
        return measured if self.fused else replace(measured, powered=measured.powered & False)


@pytest.fixture
def plant() -> FaultyPlant:
    return FaultyPlant(load_cell("puma"))


@pytest.fixture
def cell(plant: FaultyPlant):
    with tc.CellClient.connect(InProcess(RunningCell(plant.cell, plant))) as opened:
        yield opened


def test_a_lost_plant_is_raised_in_whoever_waits(cell: tc.CellClient, arm: tc.Manipulator, plant: FaultyPlant):
    segment = arm.move_joints(FAR)
    cell.run(0.3)
    plant.cut = True
    with pytest.raises(PlantLost, match=r"cable: no answer.*switch the power on"):
        segment.wait()


def test_an_open_door_is_raised_with_the_way_out(cell: tc.CellClient, arm: tc.Manipulator, plant: FaultyPlant):
    segment = arm.move_joints(FAR)
    cell.run(0.3)
    plant.set_input("door", False)
    with pytest.raises(tc.MotionStopped, match="guard door closed") as caught:
        segment.wait()
    assert caught.value.value == "guard_door"
    with pytest.raises(tc.MotionStopped, match="Remove it, then reset"):
        arm.reset()
    plant.set_input("door", True)
    cell.run(0.01)
    arm.reset()
    arm.power(True)
    assert arm.move_joints(FAR).wait().outcome == "arrived"


def test_drives_that_never_report_power_are_named_in_the_refusal(cell: tc.CellClient, plant: FaultyPlant):
    plant.fused = False
    arm = cell.manipulator("puma")
    with arm.control("me"), pytest.raises(tc.MotionStopped, match="a drive lost its power"):
        arm.power(True)


def test_a_collision_is_raised_as_a_following_error_with_axis_and_limit():
    with tc.open_cell("puma", keep_poses=False) as cell:
        arm = cell.manipulator("puma")
        with arm.control("me"):
            arm.power(True)
            arm.set_tip_speed(1.0)
            arm.move_to("work").wait()
            into_the_table = arm.move_by((0.0, 0.0, 0.25), frame="tool", speed=0.3)
            with pytest.raises(tc.FollowingErrorExceeded, match=r"off by .* limit") as caught:
                into_the_table.wait()
            assert caught.value.value == "following_error"
            cell.reset()
            assert arm.mode == "holding"
            arm.move_to("work", speed=0.3).wait()
