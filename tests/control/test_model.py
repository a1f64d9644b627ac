"""Whatever is asked, in whatever order, with whatever faults: modes, stops and queues stay what the tables say."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soak.operator import Operator
from telecell.control.modes import MODES, Mode
from telecell.messages import Refused, moves, stopping
from telecell.messages import settings as set_
from telecell.messages.events import ModeChanged
from telecell.messages.granting import ReleaseGrant

STILL = {"holding", "off", "stopped"}
ADOPTING = (set_.Power, set_.Hold, stopping.Reset)
"""Requests after which a set-point may become the measurement."""

BY_MODE = {"NoArmPower", "AxisFree", "MotionStopped", "FollowingErrorExceeded", "MotionHalted", "MotionError"}
"""Refusals that speak of the mode; AxisBusy may also speak of another robot."""

COMMANDS: dict[type, dict[str, Any]] = {
    moves.MoveJointsBy: {"increments": 0.1},
    moves.Home: {},
    moves.MovePoseBy: {"translation_m": (0.0, 0.0, 0.01)},
    moves.StreamJoints: {"joints": 0.05},
    moves.Renew: {},
    moves.EndStream: {},
    stopping.Halt: {},
    stopping.Pause: {},
    stopping.Resume: {},
    stopping.Reset: {},
    set_.Free: {},
    set_.Hold: {},
    set_.SetSpeedFactor: {"factor": 0.5},
}
KINDS = [*COMMANDS, set_.Power, stopping.Stop, ReleaseGrant]
FAULTS = ["cut_power", "open_door", "close_door"]
OFTEN = ["recover"] * 6 + [moves.MoveJointsBy] * 6 + [moves.StreamJoints] * 4

steps = st.tuples(
    st.sampled_from([*KINDS, *FAULTS, *OFTEN]), st.integers(0, 5), st.booleans(), st.sampled_from([0, 1, 1, 5, 40, 200])
)


@cache
def open_once(cell: str) -> Operator:
    return Operator(cell, "fake")


def build_fields(operator: Operator, kind: type, robot: str, on: bool) -> dict[str, Any]:
    """The fields of a good request; its joints are near where the robot is."""
    arm = operator.running.controller.arms[robot]
    if kind is stopping.Stop:
        return {"author": "model", "robot": robot if on else None}
    if kind is ReleaseGrant:
        return {}
    if kind is set_.Power:
        return {"robot": robot, "on": on}
    fields = {"robot": robot, **COMMANDS[kind]}
    sign = 1 if on else -1
    if kind is moves.MoveJointsBy:
        fields["increments"] = tuple(sign * fields["increments"] for _ in arm.index)
    if kind is moves.StreamJoints:
        here = operator.running.controller.axes.q_desired[arm.index]
        fields["joints"] = tuple((here + sign * fields["joints"]).tolist())
    return fields


def inject(operator: Operator, fault: str) -> None:
    plant: Any = operator.observer.plant
    if fault == "cut_power":
        plant.cut_power()
    else:
        plant.set_input("door", fault == "close_door")


def ask(operator: Operator, kind: type, robot: str, on: bool) -> None:
    """Ask, and compare the answer with the row of the mode in which the robot was."""
    operator.grant = operator.grant or operator.take()
    before, known = operator.books.modes[robot], len(operator.events)
    reply = step(operator, kind, build_fields(operator, kind, robot, on))
    if any(isinstance(event, ModeChanged) and event.robot == robot for event in operator.events[known:]):
        return  # Whether the mode changed before or by the request cannot be said from outside.
    tag = kind.__struct_config__.tag  # pyright: ignore[reportAttributeAccessIssue]
    refused = isinstance(reply, Refused)
    if not any(tag in row.takes for row in MODES.values()):
        assert not refused, reply
    elif tag not in MODES[Mode(before)].takes:
        assert refused, f"{tag} was taken in {before}"
    elif refused and kind not in (stopping.Reset, set_.Power):
        assert reply.error.kind not in BY_MODE, f"{tag} was refused in {before}: {reply.error.text}"


def step(operator: Operator, kind: type | None = None, fields: dict[str, Any] | None = None) -> Any:
    """One tick, in which robots that stand get no new set-points; of one made of others, some parts may move."""
    axes = operator.running.controller.axes
    q_before, modes_before = axes.q_desired.copy(), dict(operator.books.modes)
    if kind is None:
        reply = None
        operator.step()
    else:
        reply = operator.ask(kind, **(fields or {}))
    if kind not in ADOPTING:
        for name in operator.books.find_undivided():
            index = operator.running.controller.arms[name].index
            if {modes_before[name], operator.books.modes[name]} <= STILL:
                np.testing.assert_array_equal(axes.q_desired[index], q_before[index], err_msg=name)
    return reply


def play(operator: Operator, script: list[tuple[Any, int, bool, int]]) -> None:
    operator.restart().bring_up()
    robots = [robot.name for robot in operator.running.cell.robots]
    for action, number, on, wait in script:
        if action == "recover":
            inject(operator, "close_door")
            recover(operator)
        elif isinstance(action, str):
            inject(operator, action)
            step(operator)
        else:
            ask(operator, action, robots[number % len(robots)], on)
        for _ in range(wait):
            step(operator)
    assert operator.list_wrongs() == []


def recover(operator: Operator) -> None:
    """What a holder does after a stop; where nothing was wrong it changes nothing."""
    operator.step()
    operator.grant = operator.grant or operator.take()
    operator.send(stopping.Reset)
    for robot in operator.running.cell.robots:
        operator.send(set_.Power, robot=robot.name, on=True)
    operator.run(0.012)


def come_to_rest(operator: Operator) -> None:
    """Afterwards everything can be brought up again, and every queued segment has ended."""
    inject(operator, "close_door")
    step(operator)
    operator.grant = operator.grant or operator.take()
    operator.ask(stopping.Stop, author="model")
    operator.run(2.0)
    assert operator.books.unended == set()
    for robot in operator.running.cell.robots:
        operator.ask(set_.Power, robot=robot.name, on=False)
    reset = operator.ask(stopping.Reset)
    assert not isinstance(reset, Refused), reset
    for robot in operator.running.cell.robots:
        operator.ask(set_.Power, robot=robot.name, on=True)
        operator.step()
    assert set(operator.books.modes.values()) == {"holding"}
    assert operator.list_wrongs() == []


@pytest.mark.parametrize("cell", ["puma", "cirsse"])
@settings(max_examples=60)
@given(script=st.lists(steps, max_size=25))
def test_modes_stops_and_queues_follow_their_tables(cell: str, script: list[tuple[Any, int, bool, int]]):
    operator = open_once(cell)
    play(operator, script)
    come_to_rest(operator)
