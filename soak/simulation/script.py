"""What people do: honest scripts, built on what they were told, each with places of its own."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator
from typing import Any

from soak.simulation.cell import ROBOT
from soak.simulation.person import Person
from telecell.messages import AnyReply, Refused, Request
from telecell.messages.granting import Acquire, HandOver, ReleaseGrant, TakeBack
from telecell.messages.moves import EndStream, MoveJoints, StreamJoints
from telecell.messages.replies import Granted
from telecell.messages.settings import Power
from telecell.messages.stopping import Halt, Reset, Stop

Steps = Generator[None, None, None]

HOMES = (-2.25, -0.75, 0.75, 2.25)
"""The middle of everybody's own places, rad."""

SPREAD = 0.4
PATIENCE_S = 0.4
ASK_AGAIN_S = 0.1
ARRIVAL_S = 4.0


class Script:
    """One person at work; `run` goes on by one step whenever its process does.

    Args:
        person: whose process it is.
        home: the middle of its own places, rad.
        chance: decides what it does next.
    """

    def __init__(self, person: Person, home: float, chance: random.Random):
        self._person, self._home, self._chance = person, home, chance

    def run(self) -> Steps:
        """Work until the run is over."""
        while True:
            yield from self._watch()
            if (yield from self._take_control()):
                yield from self._work()

    # Without control

    def _watch(self) -> Steps:
        """Look on for a while; sometimes press stop, or take control away from whoever has it."""
        yield from self._sleep(self._chance.uniform(0.0, 1.5))
        what = self._chance.random()
        if what < 0.15:
            yield from self._ask(Stop, author=self._person.name)
        elif what < 0.25:
            yield from self._ask(TakeBack, author=self._person.name, reason="it is my turn")

    def _take_control(self) -> Generator[None, None, bool]:
        patience_s = self._person.now_s + self._chance.uniform(2.0, 8.0)
        while self._person.now_s < patience_s:
            priority = self._chance.choice((0, 0, 1))
            reply = yield from self._ask(
                Acquire, holder=self._person.name, source=self._person.source, priority=priority, wait=True
            )
            if isinstance(reply, Granted):
                return True
            yield from self._sleep(ASK_AGAIN_S)
        return False

    # With control

    def _work(self) -> Steps:
        for _ in range(self._chance.randint(1, 4)):
            if not (yield from self._get_ready()):
                return
            yield from self._chance.choice(ACTIONS)(self)
        waiting = self._person.view.waiting if self._person.view else ()
        if waiting and self._chance.random() < 0.5:
            yield from self._ask(HandOver, to=self._chance.choice(waiting))
        else:
            yield from self._ask(ReleaseGrant)

    def _get_ready(self) -> Generator[None, None, bool]:
        """Reset and power, as the robot seems to need it; whether it holds its place then."""
        for _ in range(10):
            if self._person.grant is None:
                return False
            match self._mode:
                case "holding":
                    return True
                case "stopped":
                    yield from self._ask(Reset)
                case "off":
                    yield from self._ask(Power, robot=ROBOT, on=True)
                case _:
                    yield from self._sleep(ASK_AGAIN_S)
        return False

    def _move(self) -> Steps:
        """One segment, or several that blend."""
        for _ in range(self._chance.choice((1, 1, 3))):
            reply = yield from self._ask(MoveJoints, robot=ROBOT, joints=(self._choose_place(),))
            if isinstance(reply, Refused):
                return
        yield from self._await_rest(ARRIVAL_S)

    def _move_and_halt(self) -> Steps:
        yield from self._ask(MoveJoints, robot=ROBOT, joints=(self._choose_place(),))
        yield from self._sleep(self._chance.uniform(0.0, 1.0))
        yield from self._ask(Halt, robot=ROBOT)
        yield from self._await_rest(ARRIVAL_S)

    def _stream(self) -> Steps:
        """Set-points that swing, until the script is tired of it; it ends the stream, or just falls silent."""
        phase = self._chance.uniform(0.0, math.tau)
        for number in range(self._chance.randint(5, 120)):
            joints = (self._home + SPREAD * math.sin(phase + 0.1 * number),)
            self._person.send(StreamJoints, robot=ROBOT, joints=joints)
            yield
            if self._person.grant is None or self._mode == "stopped":
                return
        if self._chance.random() < 0.7:
            yield from self._ask(EndStream, robot=ROBOT)
        yield from self._await_rest(ARRIVAL_S)

    # Pieces

    @property
    def _mode(self) -> str | None:
        view = self._person.view
        return view.robots[0].mode if view else None

    def _choose_place(self) -> float:
        return self._home + self._chance.uniform(-SPREAD, SPREAD)

    def _ask(self, kind: type[Request], **fields: Any) -> Generator[None, None, AnyReply | None]:
        """Send a request and wait for its reply, though not for ever."""
        sequence = self._person.send(kind, **fields).sequence
        yield from self._wait(lambda: sequence in self._person.replies, PATIENCE_S)
        return self._person.replies.pop(sequence, None)

    def _await_rest(self, limit_s: float) -> Steps:
        yield from self._sleep(ASK_AGAIN_S)
        yield from self._wait(lambda: self._mode not in ("moving", "tracking", "stopping"), limit_s)

    def _sleep(self, seconds: float) -> Steps:
        yield from self._wait(lambda: False, seconds)

    def _wait(self, condition: Callable[[], bool], limit_s: float) -> Steps:
        until_s = self._person.now_s + limit_s
        while self._person.now_s < until_s and not condition():
            yield


ACTIONS: tuple[Callable[[Script], Steps], ...] = (Script._move, Script._move, Script._move_and_halt, Script._stream)
