"""A cell that keeps pace with a clock: absolute deadlines, no bursts, and no motion behind a silent program's back."""

import pytest

import telecell as tc
from telecell.client.in_process import InProcess
from telecell.client.pace import Pace
from telecell.runtime import start_cell

FAR = tc.deg(90, -90, 90, 0, 0, 0)


def test_periods_begin_at_absolute_deadlines():
    clock = tc.ManualClock(100.0)
    pace = Pace(clock, 0.004)
    begins = []
    for _ in range(5):
        begins.append(pace.begin_period())
        clock.advance(0.003)  # the work of a period
    assert begins == pytest.approx([0.0, 0.004, 0.008, 0.012, 0.016])


def test_a_late_period_is_not_made_up_for_and_the_cell_is_told():
    clock = tc.ManualClock()
    pace = Pace(clock, 0.004)
    pace.begin_period()
    clock.advance(1.0)
    assert [pace.begin_period() for _ in range(3)] == pytest.approx([1.0, 1.004, 1.008])
    assert clock.now() == pytest.approx(1.008)


@pytest.fixture
def clock() -> tc.ManualClock:
    return tc.ManualClock(50.0)


@pytest.fixture
def cell(clock: tc.ManualClock):
    running = start_cell("puma", plant="fake", keep_poses=False)
    with tc.CellClient.connect(InProcess(running, clock)) as opened:
        yield opened


def test_the_machines_clock_can_be_kept_pace_with():
    with tc.open_cell("puma", plant="fake", real_time=True, keep_poses=False) as cell:
        cell.run(0.02)
        assert cell.tick == 5


def test_cell_time_and_the_clock_pass_together(cell: tc.CellClient, clock: tc.ManualClock, arm: tc.Manipulator):
    begin, begin_s = clock.now(), cell.time_s
    arm.move_joints(tc.deg(20, -90, 90, 0, 0, 0)).wait()
    assert clock.now() - begin == pytest.approx(cell.time_s - begin_s)


def test_a_long_break_at_rest_is_no_reason_to_stop(clock: tc.ManualClock, arm: tc.Manipulator):
    arm.move_joints(tc.deg(20, -90, 90, 0, 0, 0)).wait()
    clock.advance(60.0)
    assert arm.move_joints(tc.deg(0, -90, 90, 0, 0, 0)).wait().outcome == "arrived"


def test_a_short_break_in_motion_is_survived(cell: tc.CellClient, clock: tc.ManualClock, arm: tc.Manipulator):
    segment = arm.move_joints(FAR)
    cell.run(0.5)
    clock.advance(0.3)
    assert segment.wait().outcome == "arrived"


def test_a_program_that_goes_quiet_in_motion_is_stopped(cell, clock: tc.ManualClock, arm: tc.Manipulator):
    segment = arm.move_joints(FAR)
    cell.run(0.6)
    clock.advance(2.0)
    with pytest.raises(tc.MotionStopped, match="of real time") as caught:
        segment.wait()
    assert caught.value.value == "plant_slow"


def test_a_stream_that_goes_quiet_is_stopped(clock: tc.ManualClock, arm: tc.Manipulator):
    stream = arm.stream()
    stream.send(FAR)
    clock.advance(0.15)
    with pytest.raises(tc.MotionStopped, match="went quiet"):
        stream.send(FAR)
