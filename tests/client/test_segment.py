"""Waiting for a motion: it arrives, or the reason why not is raised in whoever waits."""

import asyncio

import pytest

import telecell as tc

NEAR = tc.deg(10, -90, 90, 0, 0, 0)
FAR = tc.deg(90, -90, 90, 0, 0, 0)


def test_waiting_returns_when_the_robot_has_arrived(cell: tc.CellClient, arm: tc.Manipulator):
    before = cell.time_s
    segment = arm.move_joints(NEAR, speed=0.5)
    assert (segment.number, segment.done, segment.outcome) == (1, False, None)
    assert segment.wait() is segment
    assert (segment.done, segment.outcome) == (True, "arrived")
    assert cell.time_s - before == pytest.approx(segment.duration_s, abs=0.02)
    # The fake plant counts in encoder steps.
    assert arm.where().joints == pytest.approx(segment.goal, abs=2e-4)


def test_queued_segments_end_one_after_the_other(arm: tc.Manipulator):
    first, second = arm.move_joints(NEAR), arm.home()
    assert second.ends_in_s > first.ends_in_s
    second.wait()
    assert first.outcome == second.outcome == "arrived"


def test_a_motion_of_no_length_ends_too(arm: tc.Manipulator):
    here = arm.where().joints_desired
    assert arm.move_joints(here).wait().outcome == "arrived"


def test_a_halted_motion_raises_in_whoever_waits_and_latches_nothing(cell: tc.CellClient, arm: tc.Manipulator):
    first, second = arm.move_joints(FAR), arm.home()
    cell.run(0.5)
    arm.halt()
    assert arm.mode == "holding"
    for segment in (first, second):
        with pytest.raises(tc.MotionHalted, match=f"segment {segment.number}: the motion was ended"):
            segment.wait()
    assert arm.home().wait().outcome == "arrived"


def test_a_stop_raises_in_the_waiting_call_with_cause_and_way_out(cell: tc.CellClient, arm: tc.Manipulator):
    first, segment = arm.move_joints(NEAR, blend=0.0), arm.move_joints(FAR)
    remove = cell.on_event(lambda _: cell.stop(author="watcher"), kinds="segment_started")
    with pytest.raises(tc.MotionStopped, match="stopped: pressed by watcher") as caught:
        segment.wait()
    remove()
    assert first.outcome == "arrived"
    assert caught.value.value == "stop"
    assert caught.value.where == "robot puma, segment 2"
    assert caught.value.remedy == "Remove the cause. Reset."
    with pytest.raises(tc.MotionStopped):
        arm.move_joints(NEAR)
    arm.reset()
    assert arm.move_joints(NEAR).wait().outcome == "arrived"


def test_a_stop_of_one_robot_leaves_the_other_alone(cirsse: tc.CellClient):
    left, right = cirsse.manipulator("PL"), cirsse.manipulator("PR")
    stopped, untouched = left.move_to("zero"), right.move_to("zero")
    cirsse.run(0.4)
    left.stop()
    with pytest.raises(tc.MotionStopped):
        stopped.wait()
    assert untouched.wait().outcome == "arrived"


def test_robots_that_share_an_axis_do_not_move_together(cirsse: tc.CellClient):
    cirsse.manipulator("PL").move_to("zero")
    with pytest.raises(tc.TelecellError, match="left_puma/waist is moved by robot PL"):
        cirsse.manipulator("FL").home()


def test_segments_of_two_robots_are_awaited_together(cirsse: tc.CellClient):
    async def move():
        return await asyncio.gather(*(cirsse.manipulator(name).move_to("zero") for name in ("PL", "PR")))

    begin = cirsse.time_s
    segments = asyncio.run(move())
    assert [segment.outcome for segment in segments] == ["arrived", "arrived"]
    assert cirsse.time_s - begin < 1.1 * max(segment.duration_s for segment in segments)


def test_a_stop_is_raised_in_its_own_task_only(cirsse: tc.CellClient):
    async def move():
        segments = [cirsse.manipulator(name).move_to("zero") for name in ("PL", "PR")]
        cirsse.run(0.4)
        cirsse.manipulator("PR").stop()
        return await asyncio.gather(*segments, return_exceptions=True)

    arrived, error = asyncio.run(move())
    assert isinstance(arrived, tc.Segment)
    assert isinstance(error, tc.MotionStopped)


def test_a_deadline_ends_the_waiting_and_not_the_motion(cell: tc.CellClient, arm: tc.Manipulator):
    segment = arm.move_joints(FAR)
    with pytest.raises(tc.DeadlineExceeded, match=r"the end of segment 1 of robot puma.*limit 0\.2 s"):
        segment.wait(timeout_s=0.2)
    assert arm.mode == "moving"
    assert segment.wait().outcome == "arrived"
