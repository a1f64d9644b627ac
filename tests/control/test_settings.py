"""Free and hold, payload, tools, signals, configuration: what is accepted, what is refused, and what it does."""

import math
from typing import Any

import pytest

from soak.operator import Operator
from telecell.contract import Drive
from telecell.messages import Refused, events, moves, queries, replies, settings, stopping


def expect_refusal(operator: Operator, kind: type, **fields: Any) -> str:
    reply = operator.ask(kind, **fields)
    assert isinstance(reply, Refused), reply
    return reply.error.text


# Free and hold


def test_freed_axes_are_held_where_they_were_brought(puma_physics: Operator):
    operator, plant = puma_physics, puma_physics.observer.plant
    operator.ask(settings.Free, robot="puma")
    assert operator.books.modes["puma"] == "free"
    dof = plant.model.joint("puma/waist").dofadr[0]  # pyright: ignore[reportAttributeAccessIssue]
    plant.data.qfrc_applied[dof] = 30.0  # pyright: ignore[reportAttributeAccessIssue]
    operator.run(0.6)
    plant.data.qfrc_applied[dof] = 0.0  # pyright: ignore[reportAttributeAccessIssue]
    operator.run(2.0)
    brought = plant.measure().q_measured[0]
    assert brought > 0.05
    operator.ask(settings.Hold, robot="puma")
    operator.run(0.5)
    assert operator.books.modes["puma"] == "holding"
    assert plant.measure().q_measured[0] == pytest.approx(brought, abs=5e-3)


def test_single_axes_are_freed_by_name(puma: Operator):
    puma.ask(settings.Free, robot="puma", axes=("puma/waist", "puma/elbow"))
    freed = (puma.observer.command.drives == Drive.FREE).tolist()
    assert freed == [True, False, True, False, False, False]
    assert "puma/waist" in expect_refusal(puma, settings.Free, robot="puma", axes=("puma/waste",))


def test_a_freed_robot_takes_no_motion(puma: Operator):
    puma.ask(settings.Free, robot="puma")
    assert "Hold them first" in expect_refusal(puma, moves.Home, robot="puma")


def test_a_robot_that_moves_cannot_be_freed(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="work")
    assert "queued" in expect_refusal(puma, settings.Free, robot="puma")


# Payload


def measure_sag(operator: Operator, known_kg: float) -> float:
    """How far the stretched arm sinks when 6 kg are hung on its flange, m."""
    plant: Any = operator.observer.plant
    operator.ask(moves.MoveNamed, robot="puma", pose="zero")
    operator.settle()
    operator.run(1.0)
    body = plant.model.site("puma/flange").bodyid[0]
    before = float(plant.data.xipos[body, 2])
    assert not isinstance(operator.ask(settings.SetPayload, robot="puma", mass_kg=known_kg), Refused)
    plant.data.xfrc_applied[body, 2] = -6.0 * 9.81
    operator.run(2.0)
    plant.data.xfrc_applied[body, 2] = 0.0
    return before - float(plant.data.xipos[body, 2])


def test_a_known_payload_does_not_sag(puma_physics: Operator):
    unknown = measure_sag(puma_physics, known_kg=0.0)
    known = measure_sag(puma_physics.restart().bring_up(), known_kg=6.0)
    assert unknown > 5e-4
    assert abs(known) < 0.1 * unknown


@pytest.mark.parametrize("mass_kg", [-1.0, math.nan, math.inf, 1e308, 500.0])
def test_a_payload_that_cannot_be_held_is_refused(puma: Operator, mass_kg: float):
    puma.ask(moves.MoveNamed, robot="puma", pose="zero")
    puma.settle()
    assert "payload" in expect_refusal(puma, settings.SetPayload, robot="puma", mass_kg=mass_kg)
    assert (puma.observer.command.torque_feedforward == 0.0).all()


# Speeds


@pytest.mark.parametrize("factor", [0.0, -0.5, 1.1, 5e-324, math.nan, math.inf])
def test_a_speed_factor_is_above_zero_and_at_most_one(puma: Operator, factor: float):
    assert "1e-06 to 1" in expect_refusal(puma, settings.SetSpeedFactor, robot="puma", factor=factor)


@pytest.mark.parametrize("speed_m_s", [0.0, -1.0, 11.0, 5e-324, math.nan])
def test_a_tip_speed_has_bounds(puma: Operator, speed_m_s: float):
    assert "m/s" in expect_refusal(puma, settings.SetTipSpeed, robot="puma", speed_m_s=speed_m_s)


def test_the_tip_keeps_250_mm_s_until_more_is_asked_for(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="zero")
    puma.settle()
    assert 0.2 < puma.observer.fastest_tip_m_s <= 0.25
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=0.8)
    puma.ask(moves.MoveNamed, robot="puma", pose="ready")
    puma.settle()
    assert 0.5 < puma.observer.fastest_tip_m_s <= 0.8


@pytest.mark.parametrize("speed_m_s", [0.5, 0.05, 0.001])
def test_a_tip_speed_that_is_lowered_in_motion_is_reached_on_a_ramp(puma: Operator, speed_m_s: float):
    """The observer sees that no acceleration is exceeded, and that the speed is kept after the ramp."""
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=1.0)
    puma.ask(moves.MoveNamed, robot="puma", pose="zero")
    puma.run(0.8)
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=speed_m_s)
    puma.run(2.0)
    assert not list(puma.happened(events.Stopped))


# Tools, signals, configuration


def test_a_tool_is_set_with_force_and_refuses_what_it_cannot(puma: Operator):
    puma.ask(settings.SetTool, tool="jaw/fingers", opening=0.25, force_N=5.0)
    command = puma.observer.command
    assert (command.openings[0], command.grip_forces[0]) == (0.25, 5.0)
    assert "0 (closed) to 1 (open)" in expect_refusal(puma, settings.SetTool, tool="jaw/fingers", opening=2.0)
    assert "jaw/fingers" in expect_refusal(puma, settings.SetTool, tool="jaw/finger", opening=0.5)
    assert "force" in expect_refusal(puma, settings.SetTool, tool="jaw/fingers", opening=0.5, force_N=1e6)


def test_the_tool_of_a_stopped_robot_stays_as_it_is(puma: Operator):
    puma.ask(stopping.Stop, author="watcher")
    assert "stopped" in expect_refusal(puma, settings.SetTool, tool="jaw/fingers", opening=0.0)


def test_an_output_is_switched_once_and_told_once(puma: Operator):
    for _ in range(2):
        puma.ask(settings.SetSignal, name="valve", value=True)
    assert [(event.name, event.value) for event in puma.happened(events.SignalChanged)] == [("valve", True)]
    assert puma.observer.command.outputs.tolist() == [True]
    read = puma.ask(queries.ReadSignals, names=("valve", "door"))
    assert isinstance(read, replies.SignalsRead)
    assert read.values == {"valve": True, "door": True}


def test_an_input_cannot_be_set(puma: Operator):
    assert "valve" in expect_refusal(puma, settings.SetSignal, name="door", value=False)


def test_a_configuration_decides_the_branch(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="work")
    puma.settle()
    located = puma.ask(queries.Where, robot="puma")
    assert isinstance(located, replies.Located)
    target = located.frames["tool"]
    solved = puma.ask(queries.SolveInverse, robot="puma", target=target)
    assert isinstance(solved, replies.Solved)
    here = solved.solutions[0].branch
    other = next(found for found in solved.solutions if found.inside_limits and found.branch != here)
    puma.ask(settings.SetConfiguration, robot="puma", branch=other.branch)
    queued = puma.ask(moves.MovePose, robot="puma", target=target)
    assert isinstance(queued, replies.Queued)
    assert queued.goal == pytest.approx(other.joints, abs=1e-6)


def test_an_unknown_branch_is_refused_with_the_known_ones(puma: Operator):
    assert "above" in expect_refusal(puma, settings.SetConfiguration, robot="puma", branch={"elbow": "sideways"})


@pytest.mark.parametrize(
    ("away", "back"),
    [
        ((settings.Free, {}), (settings.Hold, {})),
        ((settings.Power, {"on": False}), (settings.Power, {"on": True})),
    ],
    ids=["free and hold", "power off and on"],
)
def test_axes_let_go_and_held_again_within_one_tick_keep_their_set_points(puma: Operator, away: Any, back: Any):
    puma.ask(moves.MoveJointsBy, robot="puma", increments=(1e-5,) * 6)
    puma.settle()
    before = puma.observer.command.q_desired.copy()
    for kind, fields in (away, back):
        puma.send(kind, robot="puma", **fields)
    puma.step()
    assert (puma.observer.command.q_desired == before).all()
