"""One holder at a time, and nothing moves on when he has left."""

import pytest

import telecell as tc
from telecell.messages.events import GrantChanged, Stopped

from .ways import Way

FAR = tc.deg(90, -90, 90, 0, 0, 0)


def test_without_control_a_command_is_refused_with_the_way_out(cell: tc.CellClient):
    with pytest.raises(tc.NotHolder, match=r"nobody has control.*Take control first"):
        cell.manipulator("puma").power(True)


def test_without_power_a_move_is_refused(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    with arm.control("me"), pytest.raises(tc.NoArmPower, match="Switch the power on"):
        arm.move_joints(FAR)


def test_leaving_control_ends_the_motion_on_its_path(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        segment = arm.move_joints(FAR)
        cell.run(1.0)
    assert segment.outcome == "halted"
    assert arm.mode == "holding"
    assert cell.state().grants == ()
    joints = arm.where().joints
    assert 0.0 < joints[0] < FAR[0]
    assert joints[1:] == pytest.approx(FAR[1:], abs=1e-4)
    cell.run(0.5)
    assert arm.where().joints == joints
    with pytest.raises(tc.MotionHalted, match="robot puma, segment 1"):
        segment.wait()


def test_leaving_control_by_an_exception_ends_the_motion(cell: tc.CellClient):
    arm = cell.manipulator("puma")

    def fail_in_motion() -> None:
        with arm.control("me"):
            arm.power(True)
            arm.move_joints(FAR)
            cell.run(0.5)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_motion()
    assert arm.mode == "holding"
    assert cell.state().grants == ()


def test_control_can_be_taken_again(cell: tc.CellClient):
    for name in ("first", "second"):
        with cell.control(name):
            assert [grant.holder for grant in cell.state().grants] == [name]


@pytest.mark.parametrize("name", ["me", "somebody else"])
def test_control_cannot_be_nested(cell: tc.CellClient, name: str):
    arm = cell.manipulator("puma")
    with arm.control("me"):
        with pytest.raises(tc.NotHolder, match="holder me: the sender has control already"), cell.control(name):
            pass
        arm.power(True)


def test_another_program_is_refused_but_may_stop(way: Way):
    with way.connect() as mine, way.connect() as theirs, mine.control("me"):
        with pytest.raises(tc.NotHolder, match="holder me: somebody else has control"), theirs.control("them"):
            pass
        with pytest.raises(tc.NotHolder, match="me has control"):
            theirs.manipulator("puma").power(True)
        theirs.stop(author="them")
        with pytest.raises(tc.MotionStopped):
            mine.manipulator("puma").power(True)


def test_giving_control_back_after_a_stop_leaves_the_robot_stopped(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        arm.move_joints(FAR)
        cell.run(0.5)
        arm.stop()
    assert arm.mode == "stopped"


def test_the_tip_speed_is_lowered_again_when_control_is_given_back(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.set_tip_speed(1.0)
        assert arm.state.tip_speed_m_s == 1.0
    assert arm.state.tip_speed_m_s == 0.25


def test_closing_the_cell_inside_control_is_no_error(cell: tc.CellClient):
    with cell.control("me"):
        cell.close()


def test_stop_names_its_author(cell: tc.CellClient):
    seen = []
    cell.on_event(seen.append, kinds=("stopped", "grant_changed"))
    cell.stop()
    cell.manipulator("puma").stop(author="nobody new")  # stopped already: nothing happens
    with cell.control("Ada"):
        cell.reset()
        cell.stop()
    assert [e.author for e in seen if isinstance(e, Stopped)] == ["a program", "Ada"]
    changes = [(e.change, e.holder) for e in seen if isinstance(e, GrantChanged)]
    assert changes == [("acquired", "Ada"), ("released", "Ada")]
