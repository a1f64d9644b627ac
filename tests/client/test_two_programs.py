"""Two programs and one cell: asking for control, handing it over, taking it back, and losing it."""

from collections.abc import Callable, Iterator

import pytest

import telecell as tc
from telecell.messages.events import GrantChanged

from .ways import OverBus, start_fake

FAR = tc.deg(90, -90, 90, 0, 0, 0)
STEP = (0.02, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def way() -> Iterator[OverBus]:
    with start_fake() as running:
        yield OverBus(running)


@pytest.fixture
def ada(way: OverBus) -> Iterator[tc.CellClient]:
    with way.connect() as opened:
        yield opened


@pytest.fixture
def bob(way: OverBus) -> Iterator[tc.CellClient]:
    with way.connect() as opened:
        yield opened


def do_once(way: OverBus, action: Callable[[], object], after_s: float) -> None:
    """Have another program do something while the first one waits."""
    due_s = way.clock.now() + after_s

    def act() -> None:
        if way.clock.now() >= due_s:
            way.while_waiting = lambda: None
            action()

    way.while_waiting = act


def start_moving(cell: tc.CellClient) -> tc.Segment:
    arm = cell.manipulator("puma")
    arm.power(True)
    segment = arm.move_joints(FAR)
    cell.run(0.3)
    return segment


def test_whoever_waits_is_given_control_when_it_is_released(way: OverBus, ada: tc.CellClient, bob: tc.CellClient):
    ada.take_control("Ada")
    do_once(way, ada.release_control, 0.3)
    with bob.control("Bob", wait_s=5.0):
        assert [grant.holder for grant in bob.state().grants] == ["Bob"]


def test_patience_ends_with_the_reason(way: OverBus, ada: tc.CellClient, bob: tc.CellClient):
    ada.take_control("Ada")
    begin_s = bob.time_s
    with pytest.raises(tc.NotHolder, match=r"not given in 0\.3 s: holder Ada: somebody else has control"):
        bob.take_control("Bob", wait_s=0.3)
    assert bob.time_s - begin_s == pytest.approx(0.3, abs=0.15)


def test_a_hand_over_stops_the_robot_and_the_next_one_resets_it(way: OverBus, ada: tc.CellClient, bob: tc.CellClient):
    ada.take_control("Ada")
    segment = start_moving(ada)
    do_once(way, lambda: ada.hand_over("Bob"), 0.2)
    with bob.control("Bob", wait_s=5.0):
        assert bob.manipulator("puma").mode == "stopped"
        bob.reset()
        bob.manipulator("puma").move_joints_by(STEP).wait()
    with pytest.raises(tc.MotionStopped, match="handed over by Ada to Bob"):
        segment.wait()
    with pytest.raises(tc.NotHolder, match="control was lost: handed over"):
        ada.manipulator("puma").power(True)


def test_a_hand_over_to_nobody_is_refused_and_control_kept(ada: tc.CellClient):
    with ada.control("Ada"):
        with pytest.raises(tc.UnknownName, match="no one who waits"):
            ada.hand_over("Bob")
        ada.manipulator("puma").power(True)


def test_a_supervisor_takes_control_back_and_comes_next(way: OverBus, ada: tc.CellClient, bob: tc.CellClient):
    ada.take_control("Ada")
    segment = start_moving(ada)
    bob.take_back("Bob", reason="the class is over")
    with bob.control("Bob", wait_s=5.0):
        bob.reset()
    with pytest.raises(tc.MotionStopped, match="the class is over"):
        segment.wait()
    with pytest.raises(tc.NotHolder, match="control was lost: taken back by Bob: the class is over"):
        ada.manipulator("puma").power(True)
    ada.release_control()
    with ada.control("Ada"):
        pass


def test_a_reset_without_control_does_not_wait_for_the_motion_of_others(way: OverBus, ada, bob: tc.CellClient):
    ada.take_control("Ada")
    bob.take_back("Bob", reason="my turn")
    bob.take_control("Bob", wait_s=5.0)
    start_moving(bob)
    ada.run(0.01)
    for robot in (ada, ada.manipulator("puma")):
        with pytest.raises(tc.NotHolder, match="control was lost: taken back by Bob: my turn"):
            robot.reset()
    assert bob.manipulator("puma").mode == "moving"


def test_leaving_a_block_whose_control_was_lost_is_no_error(ada: tc.CellClient, bob: tc.CellClient):
    with ada.control("Ada"):
        bob.take_back("Bob", reason="enough")
    with ada.control("Ada", wait_s=5.0):
        pass


def test_a_program_that_goes_quiet_is_stopped_and_then_loses_control(way: OverBus, ada, bob: tc.CellClient):
    ada.take_control("Ada")
    segment = start_moving(ada)
    bob.run(0.6)
    assert bob.manipulator("puma").mode in ("stopping", "stopped")
    assert bob.state().grants
    bob.run(1.0)
    assert bob.state().grants == ()
    with pytest.raises(tc.MotionStopped, match="no sign of life of Ada"):
        segment.wait()
    with pytest.raises(tc.NotHolder, match="control was lost: no renewal"):
        ada.manipulator("puma").power(True)


def test_a_program_that_waits_for_something_else_keeps_control(ada: tc.CellClient):
    with ada.control("Ada"):
        ada.run(5.0)
        ada.manipulator("puma").power(True)


def test_the_list_of_grants_says_who_holds_and_what_has_changed(ada: tc.CellClient, bob: tc.CellClient):
    with ada.control("Ada"):
        pass
    with ada.control("Ada again"):
        listed = bob.grants()
    assert [grant.holder for grant in listed.grants] == ["Ada again"]
    assert [(change.change, change.holder) for change in listed.history] == [
        ("acquired", "Ada"),
        ("released", "Ada"),
        ("acquired", "Ada again"),
    ]


def test_changes_of_control_are_told_to_everybody(ada: tc.CellClient, bob: tc.CellClient):
    seen: list[GrantChanged] = []
    bob.on_event(seen.append, kinds="grant_changed")  # pyright: ignore[reportArgumentType]
    with ada.control("Ada"):
        pass
    bob.run(0.01)
    assert [event.change for event in seen] == ["acquired", "released"]


def test_a_split_grant_moves_both_halves_and_is_merged_again(cirsse: tc.CellClient):
    left, right = cirsse.split_control(("FL",), ("FR",))
    assert left.grant != right.grant
    segments = [cirsse.manipulator(name).move_to("zero") for name in ("PL", "PR")]
    assert [segment.wait().outcome for segment in segments] == ["arrived", "arrived"]
    cirsse.merge_control()
    assert len(cirsse.grants().grants) == 1
    cirsse.manipulator("FL").home().wait()


def test_the_loss_of_one_half_leaves_the_other(cirsse: tc.CellClient):
    cirsse.split_control(("FL",), ("FR",))
    cirsse.take_back("supervisor", "FL", reason="repair")
    with pytest.raises(tc.NotHolder, match="control was lost: taken back by supervisor: repair"):
        cirsse.manipulator("PL").move_to("zero")
    assert cirsse.manipulator("PR").move_to("zero").wait().outcome == "arrived"
