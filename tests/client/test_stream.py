"""Streams: the robot follows at the rate that was asked for, and silence or an error ends in rest."""

import numpy as np
import pytest

import telecell as tc

READY = np.array(tc.deg(0, -90, 90, 0, 0, 0))
WAIST = np.array([1.0, 0, 0, 0, 0, 0])


def test_set_points_keep_their_rate_in_cell_time(cell: tc.CellClient, arm: tc.Manipulator):
    with arm.stream(rate_hz=50) as stream:
        begin = cell.time_s
        for k in range(50):
            stream.send(READY + 0.002 * k * WAIST)
        assert cell.time_s - begin == pytest.approx(1.0, abs=0.004)
        assert arm.mode == "tracking"
    assert arm.mode == "holding"
    assert arm.where().joints_desired == pytest.approx(READY + 0.098 * WAIST)


def test_a_rate_between_ticks_is_kept_on_average(cell: tc.CellClient, arm: tc.Manipulator):
    with arm.stream(rate_hz=30) as stream:
        begin = cell.time_s
        for _ in range(30):
            stream.send(READY)
        assert cell.time_s - begin == pytest.approx(1.0, abs=0.004)


def test_a_set_point_beyond_the_limits_is_clipped_and_the_caller_told(arm: tc.Manipulator):
    with arm.stream() as stream:
        accepted = stream.send(READY + 10 * WAIST)
        assert accepted.clipped == ("puma/waist",)
        assert accepted.goal[0] == pytest.approx(np.radians(158))
        arm.halt()
        assert arm.mode == "holding"
        stream.send(arm.where().joints_desired)


def test_poses_are_followed_on_the_same_branch(arm: tc.Manipulator):
    arm.move_to("work").wait()
    start = arm.where().pose("tool")
    with arm.stream(rate_hz=50) as stream:
        for k in range(25):
            stream.send_pose(start @ tc.Pose.translation(0.001 * k, 0.0, 0.0))
    assert start.distance_to(arm.where().pose("tool"))[0] == pytest.approx(0.024, abs=5e-4)


def test_renewals_keep_a_stream_alive_without_set_points(cell: tc.CellClient, arm: tc.Manipulator):
    with arm.stream(rate_hz=20) as stream:
        stream.send(READY)
        for _ in range(20):
            stream.renew()
        assert arm.mode == "tracking"


def test_silence_stops_the_robot_and_the_next_set_point_says_why(cell: tc.CellClient, arm: tc.Manipulator):
    stream = arm.stream()
    stream.send(READY + 0.3 * WAIST)
    cell.run(1.0)
    assert arm.mode == "stopped"
    with pytest.raises(tc.MotionStopped, match="whoever moved the robot went quiet: no set-point or renewal of test"):
        stream.send(READY)


def test_leaving_a_stream_that_was_stopped_says_why(cell: tc.CellClient, arm: tc.Manipulator):
    def go_quiet() -> None:
        with arm.stream() as stream:
            stream.send(READY + 0.3 * WAIST)
            cell.run(1.0)

    with pytest.raises(tc.MotionStopped, match="went quiet"):
        go_quiet()


def test_an_error_inside_the_block_is_not_hidden_and_the_robot_stands(arm: tc.Manipulator):
    def fail() -> None:
        with arm.stream() as stream:
            stream.send(READY + 0.3 * WAIST)
            arm.stop()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert arm.mode == "stopped"


def test_a_stream_without_set_points_is_no_error(arm: tc.Manipulator):
    with arm.stream():
        pass
    with pytest.raises(tc.JointOutOfRange), arm.stream() as stream:
        stream.send([0.0])
    assert arm.mode == "holding"


@pytest.mark.parametrize("rate_hz", [0.0, 0.5, 1000.0, float("nan")])
def test_a_rate_that_cannot_be_kept_is_refused(arm: tc.Manipulator, rate_hz: float):
    with pytest.raises(tc.InputError, match="limit 1 to 250 Hz"):
        arm.stream(rate_hz=rate_hz)


@pytest.mark.parametrize("rate_hz", [1.0, 7.0])
def test_slow_streams_are_renewed_between_their_set_points(arm: tc.Manipulator, rate_hz: float):
    begin = arm.where().joints[0]
    with arm.stream(rate_hz=rate_hz) as stream:
        for step in range(1, 4):
            stream.send([begin + 0.02 * step, *arm.where().joints_desired[1:]])
    assert arm.mode == "holding"
    assert arm.where().joints_desired[0] == pytest.approx(begin + 0.06)
