"""Robots that share axes exclude each other; others move at the same time."""

import numpy as np
import pytest

from soak.operator import Operator
from telecell.messages import Refused, moves, replies, settings, stopping


@pytest.mark.parametrize(("first", "second"), [("PL", "FL"), ("FL", "CL"), ("FR", "PR")])
def test_a_robot_that_shares_an_axis_with_a_moving_one_is_refused_with_axis_and_robot(
    cirsse: Operator, first: str, second: str
):
    cirsse.ask(moves.MoveNamed, robot=first, pose="zero")
    for kind in (moves.Home, settings.Free, stopping.Pause):
        refused = cirsse.ask(kind, robot=second)
        assert isinstance(refused, Refused)
        assert refused.error.kind == "AxisBusy"
        shared = set(cirsse.running.cell.get_robot(first).axis_names)
        shared &= set(cirsse.running.cell.get_robot(second).axis_names)
        assert any(f"axis {axis}" in refused.error.text for axis in shared) or "queued" in refused.error.text
        assert first in refused.error.text or "queued" in refused.error.text


def test_both_arms_move_at_the_same_time_and_arrive(cirsse: Operator):
    for robot in ("FL", "FR"):
        cirsse.send(moves.MoveNamed, robot=robot, pose="zero")
    assert all(isinstance(reply, replies.Queued) for reply in cirsse.step())
    cirsse.run(0.5)
    assert (np.abs(cirsse.observer.command.v_desired)[[3, 4, 12, 13]] > 0).any()
    assert (cirsse.books.modes["FL"], cirsse.books.modes["FR"]) == ("moving", "moving")
    cirsse.settle()
    for robot in ("FL", "FR"):
        arm = cirsse.running.controller.arms[robot]
        goal = arm.robot.get_pose("zero")
        assert cirsse.observer.command.q_desired[arm.index] == pytest.approx(goal, abs=1e-12)


def test_a_cart_and_the_arm_on_it_move_together_and_the_tip_stays_slow(cirsse: Operator):
    cirsse.send(moves.MoveJointsBy, robot="CL", increments=(0.5, 0.0, 0.0))
    cirsse.send(moves.MoveJointsBy, robot="PL", increments=(-1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    cirsse.settle()
    # What the two plan alone is within 250 mm/s each; together it would not be.
    assert 0.2 < cirsse.observer.fastest_tip_m_s <= 0.25 * 1.02


def test_a_stop_of_one_robot_leaves_the_other_side_alone(cirsse: Operator):
    for robot in ("FL", "FR"):
        cirsse.send(moves.MoveNamed, robot=robot, pose="zero")
    cirsse.run(0.5)
    cirsse.ask(stopping.Stop, author="watcher", robot="PL")
    cirsse.run(1.5)
    modes = cirsse.books.modes
    assert (modes["FL"], modes["PL"], modes["CL"]) == ("stopped", "stopped", "stopped")
    assert modes["FR"] == "moving"


def test_power_belongs_to_the_axis(cirsse: Operator):
    cirsse.ask(settings.Power, robot="CL", on=False)
    assert (cirsse.books.modes["CL"], cirsse.books.modes["FL"], cirsse.books.modes["PL"]) == ("off", "off", "holding")
    refused = cirsse.ask(moves.Home, robot="FL")
    assert isinstance(refused, Refused)
    assert refused.error.kind == "NoArmPower"
    assert isinstance(cirsse.ask(moves.Home, robot="PL"), replies.Queued)
