"""The panels beside control and sliders, without a browser: robots, poses, tools, signals, readings, scene."""

import numpy as np
import pytest

from telecell.station.panels import (
    ControlPanel,
    JointsPanel,
    LoopPanel,
    PosesPanel,
    ReadingsPanel,
    RobotPanel,
    SignalsPanel,
    ToolsPanel,
)
from telecell.station.panels.poses import HOME

from .page_bench import CLIENT, RIGHT_WAIST, WAIST, Bench, get_events, get_text, get_waist_deg, move_by, slide

# The choice of the robot


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
    assert "What PR does" in get_text(bench, ControlPanel)


def test_a_robot_that_does_not_exist_cannot_be_chosen(bench: Bench):
    bench.get_panel(RobotPanel).choose("HAL 9000")
    bench.run(0.2)
    assert bench.get_panel(JointsPanel).sliders[WAIST].visible


# Poses


def test_a_pose_button_brings_the_robot_into_the_pose_and_home_brings_it_back(bench: Bench):
    robot = bench.running.cell.get_robot("FL")
    bench.get_ready()
    bench.get_panel(PosesPanel).go(robot, "zero", CLIENT)
    bench.run(15.0)
    axes = {axis.name: axis.q_measured for axis in bench.running.state().axes}
    np.testing.assert_allclose([axes[name] for name in robot.axis_names], robot.poses["zero"], atol=1e-3)
    bench.get_panel(PosesPanel).go(robot, HOME, CLIENT)
    bench.run(15.0)
    np.testing.assert_allclose(
        [axis.q_measured for axis in bench.running.state().axes], bench.running.cell.start, atol=1e-3
    )


def test_a_pose_that_does_not_exist_is_refused(bench: Bench):
    bench.get_ready()
    bench.get_panel(PosesPanel).go(bench.running.cell.get_robot("FL"), "no such pose", CLIENT)
    bench.run(0.2)
    assert "no pose of that name, got 'no such pose'" in bench.people.notes[-1][1]


def test_the_present_posture_is_saved_under_a_name_driven_to_and_deleted(bench: Bench):
    poses = bench.get_panel(PosesPanel)
    bench.get_ready()
    slide(bench, -30.0)
    bench.run(5.0)
    poses.name.value = "corner"
    poses.press("Save", CLIENT)
    bench.run(0.3)
    assert poses.saved.options == ("corner",)
    poses.go(bench.running.cell.get_robot("FL"), HOME, CLIENT)
    bench.run(5.0)
    poses.press("Go", CLIENT)
    bench.run(5.0)
    assert get_waist_deg(bench) == pytest.approx(-30.0, abs=0.01)
    poses.press("Delete", CLIENT)
    bench.run(0.3)
    assert poses.saved.options == ("none yet",)
    assert bench.people.notes == []


# Tools and signals


def test_a_tool_button_closes_the_tool(bench: Bench):
    tool = bench.running.cell.get_tool("left_gripper/fingers")
    bench.get_ready()
    bench.get_panel(ToolsPanel).operate(tool, "Explode", CLIENT)
    bench.get_panel(ToolsPanel).operate(tool, "Close", CLIENT)
    bench.run(0.5)
    assert [t.opening_desired for t in bench.running.state().tools] == [0.0, 1.0]
    assert "0 % open" in get_text(bench, ToolsPanel)


def test_inputs_and_beams_are_shown_and_outputs_are_switched(puma_bench: Bench):
    panel = puma_bench.get_panel(SignalsPanel)
    puma_bench.run(0.2)
    assert "guard door closed" in get_text(puma_bench, SignalsPanel)
    assert "light beam of jaw" in get_text(puma_bench, SignalsPanel)
    puma_bench.press("Take control")
    panel.switches["valve"].handle.value = True
    panel.switch("valve", True, CLIENT)
    puma_bench.run(0.2)
    assert puma_bench.running.state().signals["valve"]
    assert panel.switches["valve"].handle.value
    assert "signal valve on" in get_events(puma_bench)


def test_a_switch_goes_back_when_it_is_refused(puma_bench: Bench):
    panel = puma_bench.get_panel(SignalsPanel)
    puma_bench.run(0.2)
    panel.switches["valve"].handle.value = True
    panel.switch("valve", True, CLIENT)
    puma_bench.run(0.2)
    assert not panel.switches["valve"].handle.value
    assert len(puma_bench.people.notes) == 1


# What is shown


def test_readings_are_the_measured_values(bench: Bench):
    bench.get_ready()
    move_by(bench, -40.0)
    bench.run(5.0)
    assert "−40.0°" in get_text(bench, ReadingsPanel)


def test_the_account_of_the_loop_is_shown_and_so_is_silence(bench: Bench):
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
    bench.get_ready()
    scene.frames.show(True)
    slide(bench, -30.0)
    bench.run(5.0)
    np.testing.assert_allclose(grip.position, scene.posture.get_frame("left_gripper/grip").position, atol=1e-4)


def test_a_cell_without_robots_has_a_page_too(bare_bench: Bench):
    bare_bench.run(1.0)
    assert "0:00" in get_text(bare_bench, LoopPanel) or "0:01" in get_text(bare_bench, LoopPanel)
    assert get_text(bare_bench, ReadingsPanel) == ""
    assert get_text(bare_bench, ControlPanel) == ""
