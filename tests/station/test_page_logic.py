"""The page without a browser: a real web server, a real link, a cell server on a fake plant, and time that is told."""

import math

import numpy as np
import pytest

from telecell.messages.moves import MoveJointsBy
from telecell.station.page import MAX_ACTIONS
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

from .page_bench import CLIENT, Bench

WAIST = "left_puma/waist"
RIGHT_WAIST = "right_puma/waist"


def get_waist_deg(bench: Bench) -> float:
    return math.degrees(next(a.q_measured for a in bench.running.state().axes if a.name == WAIST))


def get_text(bench: Bench, kind) -> str:
    return bench.get_panel(kind).text.content


def get_events(bench: Bench) -> str:
    return bench.get_panel(ControlPanel).events.content


def slide(bench: Bench, shown: float, axis: str = WAIST) -> None:
    """What viser does when a person moves a slider."""
    joints = bench.get_panel(JointsPanel)
    joints.sliders[axis].value = shown
    joints.move(bench.running.cell.get_axis(axis), shown, CLIENT)


def move_by(bench: Bench, waist_deg: float) -> None:
    """The robot FL moves by itself, not by its sliders."""
    increments = [0.0] * 9
    increments[3] = math.radians(waist_deg)
    bench.page.commander.ask(MoveJointsBy, CLIENT, robot="FL", increments=tuple(increments))


# Control and power


def test_a_person_takes_control_and_switches_the_power_on(bench: Bench):
    bench.run(0.2)
    assert ">nobody<" in get_text(bench, ControlPanel)
    assert ">off<" in get_text(bench, ControlPanel)
    bench.press("Take control")
    assert ">station<" in get_text(bench, ControlPanel)
    bench.press("Power on")
    assert ">holding<" in get_text(bench, ControlPanel)
    assert "FL: power on" in get_events(bench)
    bench.press("Power off", "Release")
    assert ">off<" in get_text(bench, ControlPanel)
    assert ">nobody<" in get_text(bench, ControlPanel)


def test_without_control_everything_but_stop_is_refused_with_the_way_out(bench: Bench):
    bench.run(0.2)
    bench.press("Power on")
    slide(bench, -30.0)
    bench.run(0.2)
    assert bench.people.notes == [
        (CLIENT, "nobody has control: the command carries no grant. Take control first."),
    ], "the same reason is told once"


def test_a_refusal_is_told_again_when_it_can_no_longer_be_read(bench: Bench):
    bench.run(0.2)
    bench.press("Power on")
    bench.clock.advance(9.0)
    bench.run(0.2)
    bench.press("Power on")
    assert len(bench.people.notes) == 2


def test_without_power_a_slider_is_refused_and_goes_back(bench: Bench):
    bench.run(0.2)
    bench.press("Take control")
    slide(bench, -30.0)
    bench.run(0.2)
    assert bench.people.notes == [(CLIENT, "robot FL: the drives are off. Switch the power on first.")]
    assert bench.get_panel(JointsPanel).sliders[WAIST].value == 0.0


def test_stop_needs_no_control_and_is_explained(bench: Bench):
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.5)
    bench.press("Release")
    bench.run(1.0)
    bench.page.commander.press_stop()
    bench.run(1.0)
    assert bench.get_mode() == "stopped"
    text = get_text(bench, ControlPanel)
    assert "stop by anybody" in text
    assert "Cleared by" in text
    assert "stopped, stop by anybody: pressed by station" in get_events(bench)


def test_stop_is_not_pushed_out_by_a_flood_of_other_actions(bench: Bench):
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.5)
    bench.page.commander.press_stop()
    for _ in range(2 * MAX_ACTIONS):
        bench.page.later(lambda: None)
    bench.run(1.0)
    assert bench.get_mode() == "stopped"


def test_nothing_moves_after_a_stop_until_reset(bench: Bench):
    bench.get_ready()
    slide(bench, -60.0)
    bench.run(0.5)
    bench.page.commander.press_stop()
    bench.run(1.0)
    stopped_deg = get_waist_deg(bench)
    slide(bench, -60.0)
    bench.run(0.5)
    assert "stop by anybody" in bench.people.notes[-1][1]
    bench.press("Reset")
    assert bench.get_mode() == "holding"
    bench.run(1.0)
    assert get_waist_deg(bench) == stopped_deg
    slide(bench, -60.0)
    bench.run(5.0)
    assert get_waist_deg(bench) == pytest.approx(-60.0, abs=0.01)


def test_motion_can_be_paused_resumed_and_halted(bench: Bench):
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.5)
    bench.press("Pause")
    bench.run(1.0)
    paused_deg = get_waist_deg(bench)
    bench.run(0.5)
    assert get_waist_deg(bench) == paused_deg
    bench.press("Resume")
    bench.run(0.3)
    assert get_waist_deg(bench) < paused_deg - 0.1
    bench.press("Halt")
    bench.run(1.0)
    assert bench.get_mode() == "holding"
    assert "FL: motion 1 was halted" in get_events(bench)


def test_the_speed_slider_sets_the_speed_factor_and_follows_it(bench: Bench):
    panel = bench.get_panel(ControlPanel)
    bench.get_ready()
    panel.speed.handle.value = 20
    panel.set_speed(20, CLIENT)
    bench.run(0.2)
    assert next(r.speed_factor for r in bench.running.state().robots if r.name == "FL") == 0.2
    assert panel.speed.handle.value == 20
    bench.get_panel(RobotPanel).choose("FR · FULL RIGHT ARM")
    bench.run(0.2)
    assert panel.speed.handle.value == 100, "every robot has its own"


@pytest.mark.parametrize(("hostile", "factor"), [(math.nan, 1.0), (1e308, 1.0), (-5.0, 0.05)])
def test_a_hostile_speed_stays_in_its_range(bench: Bench, hostile: float, factor: float):
    bench.get_ready()
    bench.get_panel(ControlPanel).set_speed(hostile, CLIENT)
    bench.run(0.2)
    assert next(r.speed_factor for r in bench.running.state().robots if r.name == "FL") == factor
    assert bench.get_panel(ControlPanel).speed.handle.value == 100 * factor


def test_a_button_that_does_not_exist_does_nothing(bench: Bench):
    bench.run(0.2)
    bench.press("Explode")
    assert bench.people.notes == []


# Sliders


def test_a_slider_moves_its_axis_in_the_twin(bench: Bench):
    bench.get_ready()
    slide(bench, -30.0)
    bench.run(5.0)
    assert get_waist_deg(bench) == pytest.approx(-30.0, abs=0.01)
    assert bench.get_mode() == "holding", "the stream has ended"
    assert "FL: slider motion arrived" in get_events(bench)
    assert bench.people.notes == []


def test_two_sliders_move_together_and_the_second_does_not_take_the_first_back(bench: Bench):
    bench.get_ready()
    slide(bench, -30.0)
    bench.run(0.2)
    slide(bench, 20.0, "left_cart/rotate")
    bench.run(5.0)
    axes = {axis.name: math.degrees(axis.q_measured) for axis in bench.running.state().axes}
    assert (axes[WAIST], axes["left_cart/rotate"]) == pytest.approx((-30.0, 20.0), abs=0.01)


def test_a_closed_tab_ends_in_the_dead_man_stop(bench: Bench):
    bench.get_ready()
    slide(bench, -90.0)
    bench.run(0.5)
    assert bench.get_mode() == "tracking"
    bench.people.here.clear()
    bench.run(1.0)
    assert bench.get_mode() == "stopped"
    assert get_waist_deg(bench) > -89.0
    assert "the sender of a stream went quiet" in get_text(bench, ControlPanel)


def test_a_slider_while_segments_are_queued_is_refused_with_what_to_do(bench: Bench):
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.2)
    slide(bench, 30.0)
    bench.run(0.2)
    assert bench.people.notes == [
        (CLIENT, "robot FL: segments are queued. Wait until they have ended, or halt."),
    ]
    bench.run(5.0)
    assert get_waist_deg(bench) == pytest.approx(-60.0, abs=0.01)


def test_the_body_in_the_scene_follows_the_twin(bench: Bench):
    bench.get_ready()
    turned = bench.page.scene.posture.model.body("left_puma/link1").id
    before = bench.page.scene.posture.body_quaternions[turned].copy()
    slide(bench, -30.0)
    bench.run(5.0)
    dot = abs(np.dot(before, bench.page.scene.posture.body_quaternions[turned]))
    assert math.degrees(2 * math.acos(dot)) == pytest.approx(30.0, abs=0.01)


def test_a_slider_stays_where_its_person_put_it_while_the_axis_is_on_its_way(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.get_ready()
    slide(bench, -60.0)
    while abs(get_waist_deg(bench) + 60.0) > 0.01:
        bench.run(0.2)
        assert joints.sliders[WAIST].value == -60.0


def test_a_slider_is_not_overwritten_while_a_person_s_action_is_under_way(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.get_ready()
    joints.sliders[WAIST].value = -20.0
    bench.run(1.0)
    assert joints.sliders[WAIST].value == -20.0


def test_a_slider_follows_when_something_else_moves_the_axis(bench: Bench):
    joints = bench.get_panel(JointsPanel)
    bench.get_ready()
    move_by(bench, -40.0)
    bench.run(5.0)
    assert joints.sliders[WAIST].value == -40.0


def test_a_value_beyond_the_limits_is_clamped_here_too(bench: Bench):
    bench.get_ready()
    slide(bench, 9999.0)
    assert bench.get_panel(JointsPanel).sliders[WAIST].value == 74.0
    bench.run(8.0)
    assert get_waist_deg(bench) == pytest.approx(74.0, abs=0.01)


@pytest.mark.parametrize("hostile", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_number_changes_nothing(bench: Bench, hostile: float):
    joints = bench.get_panel(JointsPanel)
    bench.get_ready()
    before = joints.sliders[WAIST].value
    joints.move(bench.running.cell.get_axis(WAIST), hostile, CLIENT)
    bench.run(0.5)
    assert joints.sliders[WAIST].value == before
    assert bench.get_mode() == "holding"


def test_the_slider_of_another_robot_changes_nothing(bench: Bench):
    bench.get_ready()
    slide(bench, 20.0, RIGHT_WAIST)
    bench.run(0.5)
    assert not any(robot.moving for robot in bench.running.state().robots)


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
