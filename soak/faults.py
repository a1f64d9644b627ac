"""Everything that can stop a robot, done to a moving one; and what must not move it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from soak.operator import Operator
from telecell.contract import Command, Measurement
from telecell.errors import PlantLost
from telecell.messages import Grant, Refused, granting, moves, settings, stopping
from telecell.messages.granting import Source
from telecell.plant import FakePlant

CLOCK_STRETCH = 3.0
"""Real time over plant time, when the plant is to be slow."""


class FaultyPlant(FakePlant):
    """A fake plant with a way to break it.

    Attributes:
        lost: whether it does not answer any more.
        blocked: whether its axes stay where they are.
        speed: by how much its axes are measured to be faster.
        torque: by how much its drives are measured to give more.
    """

    lost: bool = False
    blocked: bool = False
    speed: float = 0.0
    torque: float = 0.0

    def step(self, command: Command) -> Measurement:
        """As the fake plant, unless it is lost."""
        if self.lost:
            raise PlantLost("the line is cut", where=f"cell {self.cell.name}")
        if self.blocked:
            command = replace(command, q_desired=self.measure().q_measured)
        super().step(command)
        return self.measure()

    def measure(self) -> Measurement:
        """As the fake plant, with these errors."""
        measured = super().measure()
        return replace(measured, v_measured=measured.v_measured + self.speed, torque=measured.torque + self.torque)

    def mend(self) -> None:
        """Everything as it should be."""
        self.lost, self.blocked, self.speed, self.torque = False, False, 0.0, 0.0
        for signal in self.cell.inputs:
            self.set_input(signal.name, signal.normal)


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to stop a robot.

    Attributes:
        cause: the row of the table of stops.
        inject: what happens, given the operator and the robot.
        situations: in which it is one.
        source: what commands the robot.
    """

    cause: str
    inject: Callable[[Operator, str], None]
    situations: tuple[str, ...] = ("hold", "queue", "stream", "pause", "halt")
    source: Source = "inside"


def get_plant(operator: Operator) -> FaultyPlant:
    """The broken plant behind the observer."""
    plant = operator.observer.plant
    assert isinstance(plant, FaultyPlant)
    return plant


def hold(_operator: Operator, _robot: str) -> None:
    """Do nothing."""


def _press_stop(operator: Operator, _: str) -> None:
    operator.send(stopping.Stop, author="watcher", grant=None)


def _switch_off(operator: Operator, robot: str) -> None:
    operator.send(settings.Power, robot=robot, on=False)


def _set(name: str, value: float | bool) -> Callable[[Operator, str], None]:
    return lambda operator, _: setattr(get_plant(operator), name, value)


def _switch_input(name: str) -> Callable[[Operator, str], None]:
    return lambda operator, _: get_plant(operator).set_input(name, False)


def _stretch_clock(operator: Operator, _: str) -> None:
    operator.clock_stretch = CLOCK_STRETCH


def _hand_over(operator: Operator, _: str) -> None:
    operator.send(granting.Acquire, sender="another", holder="another", wait=True)
    operator.step()
    operator.send(granting.HandOver, to="another")


def _take_back(operator: Operator, _: str) -> None:
    operator.send(granting.TakeBack, sender="supervisor", author="supervisor", reason="lunch")


FAULTS: dict[str, Fault] = {
    "stop": Fault("stop", _press_stop),
    "stream silent": Fault("silence", hold, ("stream",)),
    "program silent": Fault("silence", hold, ("queue", "pause"), source="program"),
    "lease over": Fault("grant_lost", hold, ("hold",), source="program"),
    "handed over": Fault("grant_lost", _hand_over),
    "taken back": Fault("grant_lost", _take_back),
    "blocked": Fault("following_error", _set("blocked", True), ("queue",)),
    "too fast": Fault("speed_limit", _set("speed", 20.0)),
    "too strong": Fault("torque_limit", _set("torque", 1e5)),
    "too slow": Fault("plant_slow", _stretch_clock, ("queue",)),
    "switched off": Fault("power_off", _switch_off, ("queue", "stream")),
    "door": Fault("guard_door", _switch_input("door")),
    "panic": Fault("emergency_stop", _switch_input("panic")),
    "power cut": Fault("power_lost", lambda operator, _: get_plant(operator).cut_power()),
    "plant lost": Fault("plant_lost", _set("lost", True)),
}


# What the robot does when it happens


def queue(operator: Operator, robot: str) -> None:
    """Three segments that blend."""
    for turn in (1.0, -1.0, 1.0):
        count = len(operator.running.cell.get_robot(robot).axes)
        operator.send(moves.MoveJointsBy, robot=robot, increments=(turn * 0.3,) * count)
    operator.run(0.7)


def stream(operator: Operator, robot: str) -> None:
    """A stream in full swing."""
    arm = operator.running.controller.arms[robot]
    start = operator.running.controller.axes.q_desired[arm.index].copy()
    for tick in range(100):
        goal = start + 0.1 * np.sin(0.02 * tick)
        operator.send(moves.StreamJoints, robot=robot, joints=tuple(goal.tolist()))
        operator.step()


def pause(operator: Operator, robot: str) -> None:
    """At rest on the path, with the rest of it before it."""
    queue(operator, robot)
    operator.send(stopping.Pause, robot=robot)
    operator.run(1.5)


def halt(operator: Operator, robot: str) -> None:
    """On its way to rest already."""
    queue(operator, robot)
    operator.send(stopping.Halt, robot=robot)
    operator.run(0.05)


SITUATIONS = {"hold": hold, "queue": queue, "stream": stream, "pause": pause, "halt": halt}


# What must not help


def tempt(operator: Operator, robot: str, grant: Grant | None, seconds: float) -> None:
    """Ask for motion in every way except reset, with a grant that may be lost; all of it must be refused."""
    arm = operator.running.controller.arms[robot]
    zeros = (0.0,) * len(arm.index)
    attempts = [
        (moves.MoveJointsBy, {"increments": tuple(0.01 for _ in zeros)}),
        (moves.Home, {}),
        (moves.StreamJoints, {"joints": arm.start}),
        (moves.Renew, {}),
        (stopping.Resume, {}),
        (settings.Free, {}),
        (settings.Hold, {}),
        (settings.Power, {"on": True}),
    ]
    for tick in range(round(seconds / operator.running.plant.period_s)):
        kind, fields = attempts[tick % len(attempts)]
        reply = operator.ask(kind, robot=robot, grant=grant, **fields)
        assert isinstance(reply, Refused), f"{kind.__name__} was accepted after a stop: {reply}"


def strike(operator: Operator, robot: str, name: str, situation: str) -> None:
    """Bring a robot into a situation, break something, tempt it, mend it, and move it again."""
    fault = FAULTS[name]
    if fault.source != "inside":
        operator.ask(granting.ReleaseGrant)
        operator.take(source=fault.source)
    grant = operator.grant
    SITUATIONS[situation](operator, robot)
    fault.inject(operator, robot)
    operator.run_until(lambda: operator.has_stopped(fault.cause), 3.0)
    operator.step()
    tempt(operator, robot, grant, 2.2)
    operator.clock_stretch = 1.0
    get_plant(operator).mend()
    operator.run(0.1)
    tempt(operator, robot, grant, 0.1)
    recover(operator, robot)


def recover(operator: Operator, robot: str) -> None:
    """Control, reset, power, and a move that arrives."""
    if operator.grant is None:
        operator.take()
    reply = operator.ask(stopping.Reset)
    assert not isinstance(reply, Refused), reply
    operator.run(0.02)
    for entry in operator.running.cell.robots:
        operator.send(settings.Power, robot=entry.name, on=True)
    operator.run(0.02)
    reply = operator.ask(moves.Home, robot=robot)
    assert not isinstance(reply, Refused), reply
    operator.settle()
    arm = operator.running.controller.arms[robot]
    np.testing.assert_allclose(operator.running.controller.axes.q_desired[arm.index], arm.start, atol=1e-9)
