"""The page without a browser: a real web server, a real link, a fake cell, and time that is told."""

import math

import numpy as np
import pytest

from telecell.station.panels import JointsPanel, LoopPanel, PosesPanel, ReadingsPanel, RobotPanel, ToolsPanel
from telecell.station.panels.joints import GRACE_S

from .page_bench import Bench

WAIST = "left_puma/waist"
RIGHT_WAIST = "right_puma/waist"
CLIENT = 0


def get_waist_deg(bench: Bench) -> float:
    return math.degrees(next(a.q_measured for a in bench.running.state().axes if a.name == WAIST))


def get_text(bench: Bench, kind) -> str:
    return bench.get_panel(kind).text.content


def test_a_slider_moves_its_axis_in_the_twin(bench: Bench):
    bench.run(0.2)
    bench.get_panel(JointsPanel).move(WAIST, -30.0, CLIENT)
    bench.run(5.0)
    assert get_waist_deg(bench) == pytest.approx(-30.0, abs=0.01)


def test_the_body_in_the_scene_follows_the_twin(bench: Bench):
    bench.run(0.2)
    turned = bench.page.scene.posture.model.body("left_puma/link1").id
    before = bench.page.scene.posture.body_quaternions[turned].copy()
    bench.get_panel(JointsPanel).move(WAIST, -30.0, CLIENT)
    bench.run(5.0)
    dot = abs(np.dot(before, bench.page.scene.posture.body_quaternions[turned]))
    assert math.degrees(2 * math.acos(dot)) == pytest.approx(30.0, abs=0.01)


def test_a_slider_stays_where_its_person_put_it_while_the_axis_is_on_its_way(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    joints.sliders[WAIST].value = -90.0
    joints.move(WAIST, -90.0, CLIENT)
    while abs(get_waist_deg(bench) + 90.0) > 0.01:
        bench.run(0.1)
        assert joints.sliders[WAIST].value == -90.0


def test_a_slider_is_not_overwritten_while_a_person_s_action_is_under_way(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    joints.sliders[WAIST].value = -20.0
    bench.run(1.0)
    assert joints.sliders[WAIST].value == -20.0


def test_a_slider_follows_when_somebody_else_moves_the_axis(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    bench.running.move_axes({WAIST: math.radians(-40.0)})
    bench.run(5.0)
    assert joints.sliders[WAIST].value == -40.0


def test_a_value_beyond_the_limits_is_clamped_here_too(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    joints.move(WAIST, 9999.0, CLIENT)
    assert joints.sliders[WAIST].value == 74.0
    bench.run(8.0)
    assert get_waist_deg(bench) == pytest.approx(74.0, abs=0.01)


@pytest.mark.parametrize("hostile", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_number_changes_nothing(bench: Bench, hostile: float):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    before = joints.sliders[WAIST].value
    joints.move(WAIST, hostile, CLIENT)
    bench.run(0.5)
    assert joints.sliders[WAIST].value == before
    assert not any(robot.moving for robot in bench.running.state().robots)


def test_a_slider_goes_back_when_its_axis_does_not_come(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    before = joints.sliders[WAIST].value
    joints.sliders[WAIST].value = before - 10
    joints.move(WAIST, before - 10, CLIENT)
    bench.link.maybe_receive()  # the request is lost
    bench.run(GRACE_S + 0.5)
    assert joints.sliders[WAIST].value == before


def test_the_chosen_robot_has_the_sliders_and_the_poses(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.run(0.2)
    assert joints.sliders[WAIST].visible
    assert not joints.sliders[RIGHT_WAIST].visible
    bench.get_panel(RobotPanel).choose("PR · RIGHT PUMA")
    bench.run(0.2)
    assert not joints.sliders[WAIST].visible
    assert joints.sliders[RIGHT_WAIST].visible
    assert joints.sliders[RIGHT_WAIST].label == "1 shoulder"


def test_a_robot_that_does_not_exist_cannot_be_chosen(bench: Bench):
    bench.get_panel(RobotPanel).choose("HAL 9000")
    bench.run(0.2)
    assert bench.get_panel(JointsPanel).sliders[WAIST].visible


def test_a_pose_button_brings_the_robot_into_the_pose(bench: Bench):
    robot = bench.running.cell.get_robot("PL")
    bench.run(0.2)
    bench.get_panel(PosesPanel).go(robot, "no such pose", CLIENT)
    bench.get_panel(PosesPanel).go(robot, "stretch", CLIENT)
    bench.run(20.0)
    axes = {axis.name: axis.q_measured for axis in bench.running.state().axes}
    np.testing.assert_allclose([axes[name] for name in robot.axis_names], robot.poses["stretch"], atol=1e-3)


def test_a_tool_button_closes_the_tool(bench: Bench):
    tool = bench.running.cell.get_tool("left_gripper/fingers")
    bench.run(0.2)
    bench.get_panel(ToolsPanel).operate(tool, "Explode", CLIENT)
    bench.get_panel(ToolsPanel).operate(tool, "Close", CLIENT)
    bench.run(0.5)
    assert [t.opening_desired for t in bench.running.state().tools] == [0.0, 1.0]
    assert "0 % open" in get_text(bench, ToolsPanel)


def test_readings_are_the_measured_values(bench: Bench):
    bench.running.move_axes({WAIST: math.radians(-40.0)})
    bench.run(5.0)
    assert "−40.0°" in get_text(bench, ReadingsPanel)


def test_the_account_of_the_loop_is_shown_and_so_is_silence(bench: Bench):
    bench.page.step(bench.clock.now())
    assert "waiting for its first report" in get_text(bench, LoopPanel)
    bench.run(0.5)
    assert "1.00 ×" in get_text(bench, LoopPanel)
    bench.clock.advance(3.0)
    bench.page.step(bench.clock.now())
    assert "silent for 3 s" in get_text(bench, LoopPanel)


def test_a_hidden_mount_is_hidden_as_a_whole(bench: Bench):
    bodies = bench.page.scene.bodies
    assert set(bodies.mounts) == {mount.name for mount in bench.running.cell.mounts}
    bodies.show_mount("rack", False)
    assert not bodies.mounts["rack"].visible
    assert all(node.visible for name, node in bodies.mounts.items() if name != "rack")


def test_bodies_are_drawn_solid_or_as_wire_frames(bench: Bench):
    bodies = bench.page.scene.bodies
    for wire in (True, False):
        bodies.draw_wire(wire)
        assert all(node.visible is wire for node in bodies.wires)
        assert all(node.visible is not wire for node in bodies.solids)


def test_frames_follow_once_they_are_shown(bench: Bench):
    scene = bench.page.scene
    grip = scene.frames.nodes["left_gripper/grip"]
    bench.run(0.2)
    scene.frames.show(True)
    bench.get_panel(JointsPanel).move(WAIST, -30.0, CLIENT)
    bench.run(5.0)
    np.testing.assert_allclose(grip.position, scene.posture.get_frame("left_gripper/grip").position, atol=1e-4)


def test_a_cell_without_robots_has_a_page_too(bare_bench: Bench):
    bare_bench.run(1.0)
    assert "0:00" in get_text(bare_bench, LoopPanel)
    assert get_text(bare_bench, ReadingsPanel) == ""
