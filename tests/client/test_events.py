"""Events are told to whoever wants them, in order, and nothing is lost in silence."""

import pytest

import telecell as tc
from telecell.client.listeners import LONGEST_INBOX
from telecell.errors import QueueFull
from telecell.messages.events import SegmentEnded, SegmentStarted, SignalChanged

NEAR = tc.deg(5, -90, 90, 0, 0, 0)


def test_events_are_read_as_they_come(cell: tc.CellClient, arm: tc.Manipulator):
    events = cell.events(kinds=("segment_started", "segment_ended"), timeout_s=5.0)
    segment = arm.move_joints(NEAR)
    started, ended = next(events), next(events)
    assert isinstance(started, SegmentStarted)
    assert isinstance(ended, SegmentEnded)
    assert ended.segment == segment.number
    assert segment.done


def test_reading_ends_at_its_deadline(cell: tc.CellClient):
    begin_s = cell.time_s
    assert list(cell.events(timeout_s=0.1)) == []
    assert cell.time_s - begin_s == pytest.approx(0.1, abs=0.005)


def test_a_single_kind_needs_no_list(cell: tc.CellClient, arm: tc.Manipulator):
    events = cell.events("signal_changed", timeout_s=0.1)
    cell.set_signal("valve", True)
    assert [(e.name, e.value) for e in events if isinstance(e, SignalChanged)] == [("valve", True)]


def test_a_wrong_kind_says_which_are_right(cell: tc.CellClient):
    with pytest.raises(tc.UnknownName, match=r"no kind of event of that name.*segment_ended"):
        cell.events(kinds="segment_over")


def test_events_that_nobody_reads_are_counted(cell: tc.CellClient, arm: tc.Manipulator):
    events = cell.events("signal_changed")
    for k in range(LONGEST_INBOX + 3):
        cell.set_signal("valve", k % 2 == 0)
    assert sum(1 for _ in zip(range(LONGEST_INBOX), events, strict=False)) == LONGEST_INBOX
    with pytest.raises(QueueFull, match="got 3"):
        next(events)


def test_a_callback_is_called_until_it_is_removed(cell: tc.CellClient, arm: tc.Manipulator):
    values: list[bool] = []
    remove = cell.on_event(lambda event: values.append(event.value), kinds="signal_changed")  # pyright: ignore[reportAttributeAccessIssue]
    cell.set_signal("valve", True)
    remove()
    remove()
    cell.set_signal("valve", False)
    assert values == [True]


def test_what_a_callback_raises_reaches_the_call_that_lets_time_pass(cell: tc.CellClient, arm: tc.Manipulator):
    def complain(event):
        raise LookupError(event.robot)

    seen = []
    cell.on_event(complain, kinds="segment_ended")
    cell.on_event(seen.append, kinds="segment_ended")
    segment = arm.move_joints(NEAR)
    with pytest.raises(LookupError, match="puma"):
        segment.wait()
    assert len(seen) == 1
    assert segment.outcome == "arrived"


def test_several_callbacks_that_raise_are_all_reported(cell: tc.CellClient, arm: tc.Manipulator):
    def complain(event):
        raise LookupError

    for _ in range(2):
        cell.on_event(complain, kinds="signal_changed")
    with pytest.raises(ExceptionGroup, match="several callbacks failed") as caught:
        cell.set_signal("valve", True)
    assert len(caught.value.exceptions) == 2


def test_a_callback_may_ask_the_cell(cell: tc.CellClient, arm: tc.Manipulator):
    modes: list[str] = []
    cell.on_event(lambda event: modes.append(cell.state().robots[0].mode), kinds="segment_ended")
    arm.move_joints(NEAR).wait()
    assert modes == ["holding"]


def test_a_callback_that_moves_the_robot_on(cell: tc.CellClient, arm: tc.Manipulator):
    segments: list[tc.Segment] = []

    def go_on(_event) -> None:
        if len(segments) < 3:
            segments.append(arm.move_joints_by((0.02, 0, 0, 0, 0, 0)))

    cell.on_event(go_on, kinds="segment_ended")
    arm.move_joints(NEAR).wait()
    cell.wait_until_still()
    assert [segment.outcome for segment in segments] == ["arrived"] * 3
