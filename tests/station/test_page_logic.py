"""The page without a browser: a real web server, a bus in memory, a cell server on a fake plant, and time by hand."""

import math

import numpy as np
import pytest

from telecell.station.page import MAX_ACTIONS
from telecell.station.panels import (
    ControlPanel,
    JointsPanel,
    RobotPanel,
)

from .page_bench import CLIENT, RIGHT_WAIST, WAIST, Bench, get_events, get_text, get_waist_deg, move_by, slide

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
    assert "whoever moved the robot went quiet" in get_text(bench, ControlPanel)


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
