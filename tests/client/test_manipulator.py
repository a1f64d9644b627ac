"""The handle of a robot."""

from pathlib import Path

import numpy as np
import pytest

import telecell as tc
from telecell.client.session import UNDER_WAY
from telecell.control.modes import Mode
from telecell.errors import AxisFree
from telecell.messages import RobotState

READY = tc.deg(0, -90, 90, 0, 0, 0)
WORK = tc.deg(0, -45, 180, 0, 45, 0)


def test_where_finds_frames_by_their_full_name_or_its_last_part(cell: tc.CellClient):
    where = cell.manipulator("puma").where()
    assert where.pose("flange") == where.pose("puma/flange") == where.pose("tool") == where.pose()
    assert where.joints == pytest.approx(READY, abs=2e-4)
    assert where.axes[0] == "puma/waist"


def test_where_names_the_choices_for_an_ambiguous_frame(cell: tc.CellClient):
    with pytest.raises(tc.UnknownName, match=r"no single frame.*choose from: jaw/mount, wrist/mount\."):
        cell.manipulator("puma").where().pose("mount")


def test_where_names_the_known_frames(cell: tc.CellClient):
    with pytest.raises(tc.UnknownName, match=r"robot puma: no frame.*puma/flange.*Did you mean"):
        cell.manipulator("puma").where().pose("puma/flunge")


def test_forward_and_inverse_belong_together(cell: tc.CellClient):
    arm = cell.manipulator("puma")
    pose = arm.forward(WORK)
    solutions = arm.inverse(pose, reference=WORK)
    assert solutions[0].joints == pytest.approx(WORK)
    assert {"lefty", "righty"} == {solution.branch["arm"] for solution in solutions}
    assert all(s.branch["elbow"] == "below" for s in arm.inverse(pose, branch={"elbow": "below"}))


def test_inverse_says_why_there_is_no_solution(cell: tc.CellClient):
    with pytest.raises(tc.NoSolution, match="beyond the arm's reach"):
        cell.manipulator("puma").inverse(tc.Pose.translation(3.0, 0.0, 0.0))


def test_a_pose_is_reached_in_the_wanted_branch(arm: tc.Manipulator):
    pose = arm.forward(WORK)
    arm.move_pose(pose, branch={"arm": "righty"}).wait()
    assert arm.where().joints[0] != pytest.approx(WORK[0], abs=0.5)
    assert arm.where().pose().almost_equal(pose, 1e-3, 1e-3)
    arm.configure(arm="lefty")
    arm.move_pose(pose).wait()
    assert arm.where().joints == pytest.approx(WORK, abs=1e-3)
    arm.configure()


def test_a_line_is_straight(cell: tc.CellClient, arm: tc.Manipulator):
    arm.move_to("work").wait()
    start = arm.where().pose()
    segment = arm.move_line(start @ tc.Pose.translation(0.0, 0.1, 0.0))
    offsets = []
    while not segment.done:
        cell.run(0.1)
        offsets.append((start.inverse() @ arm.where().pose()).position)
    # The encoders of the six axes are off by a tenth of a millimetre together.
    assert np.abs(np.array(offsets)[:, [0, 2]]).max() < 3e-4
    assert offsets[-1][1] == pytest.approx(0.1, abs=3e-4)


def test_increments_are_taken_in_their_frame(cell: tc.CellClient, arm: tc.Manipulator):
    cell.define_user_frame("bench", (0, 0, 0), (0, 1, 0), (-1, 0, 0))
    arm.move_to("work").wait()
    start = arm.where().pose()
    arm.move_by((0.05, 0.0, 0.0), frame="bench").wait()
    assert arm.where().pose().position - start.position == pytest.approx([0.0, 0.05, 0.0], abs=5e-4)
    arm.move_by(rotation=tc.deg(0, 0, 20), frame="tool", straight=True).wait()
    assert start.distance_to(arm.where().pose())[1] == pytest.approx(np.radians(20), abs=1e-3)


def test_a_path_through_points_does_not_stop_in_between(cell: tc.CellClient, arm: tc.Manipulator):
    points = np.array(READY) + np.outer([0.1, 0.2, 0.3], [1, 0, 0, 0, 0, 0])
    segment = arm.move_via(points)
    cell.run(segment.duration_s / 2)
    assert cell.state().axes[0].v_measured > 0.1
    assert segment.wait().goal == pytest.approx(points[-1])


def test_the_speed_factor_slows_a_motion_down(cell: tc.CellClient, arm: tc.Manipulator):
    arm.set_speed_factor(0.5)
    begin = cell.time_s
    segment = arm.move_to("work")
    segment.wait()
    assert cell.time_s - begin > 1.8 * segment.duration_s


def test_a_paused_motion_stands_until_it_is_resumed(cell: tc.CellClient, arm: tc.Manipulator):
    segment = arm.move_to("work")
    cell.run(0.5)
    arm.pause()
    paused = arm.where().joints_desired
    cell.run(1.0)
    assert arm.where().joints_desired == paused
    assert not segment.done
    arm.resume()
    assert segment.wait().outcome == "arrived"


def test_a_robot_that_never_stands_ends_in_a_deadline(arm: tc.Manipulator):
    arm.move_to("work")
    arm.pause()
    with pytest.raises(tc.DeadlineExceeded, match="the rest of robot puma"):
        arm.wait_until_still(timeout_s=1.0)


def test_power_off_in_motion_stops_and_power_comes_back_after_reset(cell: tc.CellClient, arm: tc.Manipulator):
    segment = arm.move_to("work")
    cell.run(0.5)
    arm.power(False)
    assert arm.mode == "stopped"
    assert not any(axis.powered for axis in cell.state().axes)
    with pytest.raises(tc.MotionStopped, match=r"power_off.*switch the power on"):
        segment.wait()
    with pytest.raises(tc.MotionStopped):
        arm.power(True)
    arm.reset()
    assert arm.mode == "off"
    arm.power(True)
    assert arm.mode == "holding"


def test_freed_axes_are_named_in_short_and_held_again(arm: tc.Manipulator):
    arm.free("waist", "puma/elbow")
    assert arm.mode == "free"
    with pytest.raises(AxisFree):
        arm.home()
    arm.hold()
    assert arm.mode == "holding"
    with pytest.raises(tc.UnknownName, match=r"no axis.*puma/waist"):
        arm.free("knee")


def test_the_gripper_returns_when_its_fingers_rest(arm: tc.Manipulator):
    assert arm.close_tool() == pytest.approx(0.0, abs=0.01)
    assert arm.grip(0.5, force_N=20.0) == pytest.approx(0.5, abs=0.01)
    assert arm.open_tool() == pytest.approx(1.0, abs=0.01)
    with pytest.raises(tc.InputError, match="grip force"):
        arm.grip(0.0, force_N=1000.0)


def test_a_robot_without_a_gripper_says_so(cirsse: tc.CellClient):
    with pytest.raises(tc.InputError, match="robot CL: the robot has no gripper"):
        cirsse.manipulator("CL").open_tool()


def test_poses_are_for_the_tool_that_was_defined(arm: tc.Manipulator):
    offset = tc.Pose.translation(0.0, 0.0, 0.2)
    flange = arm.where().pose("flange")
    arm.define_tool(offset)
    assert arm.where().pose("tool").almost_equal(flange @ offset)
    assert arm.forward(arm.where().joints).almost_equal(flange @ offset)


def test_a_payload_beyond_the_drives_is_refused(arm: tc.Manipulator):
    arm.set_payload(1.0, centre_m=(0.0, 0.0, 0.1))
    arm.move_to("zero").wait()
    with pytest.raises(tc.InputError, match="too heavy"):
        arm.set_payload(50.0)


def test_poses_are_saved_used_and_deleted(arm: tc.Manipulator):
    arm.save_pose("left", tc.deg(30, -90, 90, 0, 0, 0))
    assert arm.move_to("left").wait().goal[0] == pytest.approx(np.radians(30))
    assert set(arm.poses) == {"ready", "work", "zero", "stretch", "left"}
    arm.delete_pose("left")
    with pytest.raises(tc.UnknownName, match="no pose of that name"):
        arm.move_to("left")


def test_saved_poses_are_there_when_the_cell_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with tc.open_cell("puma", plant="fake") as cell, cell.control("me"):
        cell.manipulator("puma").save_pose("mine")
    with tc.open_cell("puma", plant="fake") as cell:
        assert cell.manipulator("puma").poses["mine"] == pytest.approx(READY, abs=2e-4)


def test_signals_are_read_and_set(cell: tc.CellClient, arm: tc.Manipulator):
    assert cell.signals() == {"door": True, "panic": True, "valve": False, "jaw/crossfire": False}
    cell.set_signal("valve", True)
    assert cell.signals("valve") == {"valve": True}
    with pytest.raises(tc.UnknownName, match="no signal of that name"):
        cell.signals("vulve")


def test_time_passes_only_as_asked_for(cell: tc.CellClient):
    begin, begin_s = cell.tick, cell.time_s
    cell.run(0.1)
    assert (cell.tick - begin, cell.time_s - begin_s) == (25, pytest.approx(0.1))
    for seconds in (-1.0, float("inf"), float("nan")):
        with pytest.raises(tc.InputError, match="no time that can pass"):
            cell.run(seconds)


def test_the_modes_under_way_are_those_of_the_messages():
    def is_moving(mode: str) -> bool:
        return RobotState("r", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), mode).moving

    assert {mode.value for mode in Mode if is_moving(mode.value)} == UNDER_WAY


def test_handles_show_what_they_are(cell: tc.CellClient, arm: tc.Manipulator):
    assert repr(arm) == "<Manipulator puma: holding>"
    assert repr(arm.move_joints(READY)).startswith("<Segment 1 of puma: ")
