"""Power, collisions, doors and questions in mid-motion."""

from typing import Any

import numpy as np
import pytest

from soak.operator import Operator
from telecell.messages import Refused, events, moves, queries, replies, settings, stopping

from .recording import record


def queue_three(operator: Operator) -> None:
    for pose in ("work", "zero", "ready"):
        operator.send(moves.MoveNamed, robot="puma", pose=pose)
    assert all(isinstance(reply, replies.Queued) for reply in operator.step())
    operator.run(1.0)


def expect_refusal(operator: Operator, kind: type, error: str, **fields: Any) -> Refused:
    reply = operator.ask(kind, **fields)
    assert isinstance(reply, Refused), reply
    assert reply.error.kind == error
    return reply


def test_a_power_cut_in_the_first_of_three_segments_ends_them_all_within_one_period(puma: Operator):
    plant: Any = puma.observer.plant
    queue_three(puma)
    plant.cut_power()
    puma.step()
    puma.step()
    (stop,) = puma.happened(events.Stopped)
    assert (stop.cause, stop.category) == ("power_lost", 0)
    ended = list(puma.happened(events.SegmentEnded))
    assert [(event.segment, event.outcome) for event in ended] == [(1, "stopped"), (2, "stopped"), (3, "stopped")]
    positions, velocities = record(puma, 1.0)
    assert np.ptp(positions, axis=0).max() == 0.0
    assert np.abs(velocities).max() == 0.0
    assert len(list(puma.happened(events.Stopped))) == 1


def test_motion_is_refused_until_reset_and_without_power(puma: Operator):
    plant: Any = puma.observer.plant
    queue_three(puma)
    plant.cut_power()
    puma.run(0.02)
    refused = expect_refusal(puma, moves.Home, "MotionStopped", robot="puma")
    assert "power" in refused.error.text
    assert "reset" in refused.error.text
    expect_refusal(puma, settings.Power, "MotionStopped", robot="puma", on=True)
    assert not isinstance(puma.ask(stopping.Reset), Refused)
    expect_refusal(puma, moves.Home, "NoArmPower", robot="puma")


def test_reset_power_and_a_request_move_again(puma: Operator):
    plant: Any = puma.observer.plant
    queue_three(puma)
    plant.cut_power()
    puma.run(0.02)
    puma.ask(stopping.Reset)
    puma.ask(settings.Power, robot="puma", on=True)
    puma.run(0.02)
    assert isinstance(puma.ask(moves.Home, robot="puma"), replies.Queued)
    puma.settle()
    assert puma.observer.command.q_desired == pytest.approx(puma.running.cell.start, abs=1e-9)


def test_a_blocked_joint_stops_with_a_following_error(puma_physics: Operator):
    operator, plant = puma_physics, puma_physics.observer.plant
    queue_three(operator)
    dof = plant.model.joint("puma/shoulder").dofadr[0]  # pyright: ignore[reportAttributeAccessIssue]
    damping = plant.model.dof_damping  # pyright: ignore[reportAttributeAccessIssue]
    usual, damping[dof] = damping[dof], 1e5
    try:
        operator.run_until(lambda: operator.has_stopped("following_error"), 2.0)
    finally:
        damping[dof] = usual
    (stop,) = operator.happened(events.Stopped)
    assert "puma/shoulder" in stop.reason
    assert "limit" in stop.reason
    operator.settle()
    expect_refusal(operator, moves.Home, "FollowingErrorExceeded", robot="puma")
    operator.ask(stopping.Reset)
    assert isinstance(operator.ask(moves.Home, robot="puma"), replies.Queued)
    operator.settle()


def test_a_collision_on_the_ramp_of_an_open_door_leaves_the_path_and_the_power_still_goes(puma_physics: Operator):
    operator = puma_physics
    plant: Any = operator.observer.plant
    operator.ask(settings.SetTipSpeed, robot="puma", speed_m_s=2.0)
    queue_three(operator)
    dof = plant.model.joint("puma/shoulder").dofadr[0]
    usual, plant.model.dof_damping[dof] = plant.model.dof_damping[dof], 1e5
    plant.set_input("door", False)
    try:
        operator.run(1.0)
    finally:
        plant.model.dof_damping[dof] = usual
        plant.set_input("door", True)
    assert [stop.cause for stop in operator.happened(events.Stopped)] == ["guard_door", "following_error"]
    assert not plant.measure().powered.any()


def test_where_changes_during_motion(puma: Operator):
    queue_three(puma)
    seen = []
    for _ in range(5):
        located = puma.ask(queries.Where, robot="puma")
        assert isinstance(located, replies.Located)
        seen.append((located.joints, located.frames["tool"].position_m))
        puma.run(0.05)
    assert len(set(seen)) == 5


@pytest.mark.parametrize(("signal", "cause"), [("door", "guard_door"), ("panic", "emergency_stop")])
def test_an_open_guard_ramps_down_then_takes_the_power_and_keeps_it_until_it_is_closed(
    puma: Operator, signal: str, cause: str
):
    plant: Any = puma.observer.plant
    queue_three(puma)
    plant.set_input(signal, False)
    puma.run_until(lambda: puma.has_stopped(cause), 0.1)
    assert puma.observer.command.drives.all()
    puma.settle()
    puma.step()
    assert not puma.observer.command.drives.any()
    expect_refusal(puma, stopping.Reset, "MotionStopped")
    expect_refusal(puma, settings.Power, "MotionStopped", robot="puma", on=True)
    plant.set_input(signal, True)
    puma.step()
    assert not isinstance(puma.ask(stopping.Reset), Refused)
    assert not isinstance(puma.ask(settings.Power, robot="puma", on=True), Refused)


def test_power_off_in_motion_is_a_stop_and_at_rest_is_none(puma: Operator):
    puma.ask(settings.Power, robot="puma", on=False)
    assert puma.books.modes["puma"] == "off"
    puma.ask(settings.Power, robot="puma", on=True)
    puma.run(0.02)
    queue_three(puma)
    puma.ask(settings.Power, robot="puma", on=False)
    puma.settle()
    puma.step()
    assert puma.books.modes["puma"] == "stopped"
    assert not puma.observer.command.drives.any()


def test_a_stop_needs_no_grant_and_is_told_with_its_author(puma: Operator):
    queue_three(puma)
    reply = puma.ask(stopping.Stop, author="somebody passing by", grant=None)
    assert isinstance(reply, replies.Done)
    (stop,) = puma.happened(events.Stopped)
    assert (stop.author, stop.tick) == ("somebody passing by", puma.running.tick - 1)


def test_a_stop_is_idempotent(puma: Operator):
    queue_three(puma)
    for _ in range(5):
        assert isinstance(puma.ask(stopping.Stop, author="twice"), replies.Done)
    assert len(list(puma.happened(events.Stopped))) == 1


def test_power_off_of_a_robot_stops_what_moves_a_part_of_it_even_if_another_part_is_free(cirsse: Operator):
    """FL is `free` because CL was freed, while PL goes on moving: switching FL off must stop PL."""
    cirsse.ask(moves.MoveNamed, robot="PL", pose="zero")
    cirsse.run(0.3)
    cirsse.ask(settings.Free, robot="CL")
    assert cirsse.books.modes["FL"] == "free"
    cirsse.ask(settings.Power, robot="FL", on=False)
    cirsse.settle()
    cirsse.run(0.1)
    assert (cirsse.books.modes["PL"], cirsse.books.modes["CL"]) == ("stopped", "stopped")
    cirsse.ask(stopping.Reset)
    cirsse.ask(settings.Power, robot="FL", on=True)
    positions, _ = record(cirsse, 0.5)
    assert np.ptp(positions[5:], axis=0).max() == 0.0


def test_a_plant_that_is_lost_latches_and_is_tried_again_after_reset(puma: Operator):
    queue_three(puma)
    result = puma.running.controller.step(1.0, puma.running.plant.measure(), (), "the line is cut")
    assert [event.cause for event in result.events if isinstance(event, events.Stopped)] == ["plant_lost"]
    assert not result.command.drives.any()
    puma.books.note_events(result.events)
