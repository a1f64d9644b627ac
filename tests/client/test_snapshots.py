"""Back to a saved moment: the same future again, whoever has control keeps it."""

import pytest

import telecell as tc
from telecell.errors import RequestError, SnapshotMismatch, SnapshotsUnsupported
from telecell.messages.moves import MoveJointsBy

from .ways import WAYS, OverBus, start_fake


@pytest.fixture(params=["inside"])
def build_way(request: pytest.FixtureRequest):
    """A cell in another process cannot be saved."""
    return WAYS[request.param]


def test_the_same_future_comes_twice_bit_for_bit():
    with tc.open_cell("puma", keep_poses=False) as cell:
        arm = cell.manipulator("puma")
        with arm.control("me"):
            arm.power(True)
            arm.move_to("work")
            cell.run(0.4)
            moment = cell.save()
            futures = []
            for _ in range(2):
                cell.restore(moment)
                assert arm.mode == "moving"
                cell.run(0.6)
                futures.append((cell.state(), cell.save()))
            assert futures[0] == futures[1]


def test_what_was_awaited_belongs_to_another_future(cell: tc.CellClient, arm: tc.Manipulator):
    moment = cell.save()
    segment = arm.move_to("work")
    pending = cell.send(MoveJointsBy, robot="puma", increments=(0.1, 0, 0, 0, 0, 0))
    cell.restore(moment)
    assert arm.mode == "holding"
    for awaited in (segment, pending):
        with pytest.raises(RequestError, match="went back to a saved state"):
            awaited.wait()
    assert arm.move_to("zero").wait().number == 1


def test_control_is_the_presents(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    nobody = cell.save()
    with arm.control("me"):
        cell.restore(nobody)
        arm.power(True)
        somebody = cell.save()
    cell.restore(somebody)
    assert cell.state().grants == ()
    with arm.control("you"):
        arm.move_joints_by((0.05, 0, 0, 0, 0, 0)).wait()


def test_a_damaged_snapshot_changes_nothing(cell: tc.CellClient, arm: tc.Manipulator):
    segment = arm.move_to("work")
    cell.run(0.2)
    with pytest.raises(SnapshotMismatch):
        cell.restore(cell.save()[:-5])
    assert segment.wait().outcome == "arrived"


def test_a_cell_in_another_process_cannot_be_saved_or_restored():
    with start_fake() as running, OverBus(running).connect() as cell:
        with pytest.raises(SnapshotsUnsupported, match=r"in another process.*open_cell"):
            cell.save()
        with pytest.raises(SnapshotsUnsupported):
            cell.restore(running.save())
