"""Requests as nobody should send them, mixed with good ones: not numbers, too large, too many, for others, too old.

Every field of every request is drawn by its name, so a new request is attacked as soon as it exists.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from soak.operator import SENDER, Operator
from telecell.messages import VERSION, AnyReply, AnyRequest, Grant, Placement, Query, decode_request, queries, replies
from telecell.messages.granting import AnyGranting, TakeBack
from telecell.messages.moves import AnyMove, StreamJoints, StreamPose
from telecell.messages.settings import Free, Power
from telecell.messages.stopping import AnyStopping, Reset, Stop

NUMBERS = (float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 1e6, -1.0, 0.0, 5e-324, 1e-9, 0.5, 1.0, 2.0)
NAMES = ("", "nobody", "ready", "world", "base", "tool", "a" * 200, "é\x00", "mine")
SENDERS = (*(SENDER,) * 4, "", "stranger", "somebody else", "y" * 100)
WEIGHTS = {
    **dict.fromkeys(AnyMove.__args__, 3.0),
    **dict.fromkeys(AnyStopping.__args__, 0.5),
    StreamJoints: 6.0,
    StreamPose: 3.0,
    Free: 0.3,
    Stop: 0.1,
    **dict.fromkeys(AnyGranting.__args__, 0.1),
}
"""Of 1 each; chosen so that most of the time something moves."""

HELP_TICKS = 50

KINDS: tuple[type, ...] = AnyRequest.__args__
_FIELDS = {kind: msgspec.structs.fields(kind) for kind in KINDS}


class Hostile:
    """Draws requests for the cell of an operator.

    Args:
        operator: whose grant and numbers are used, and abused.
        seed: gives the same requests again, for a cell that does the same.
        spite: share of fields that are drawn to be wrong.
    """

    def __init__(self, operator: Operator, seed: int, spite: float = 0.1):
        self._operator, self._cell = operator, operator.running.cell
        self._random, self._spite = random.Random(seed), spite
        self._weights = [WEIGHTS.get(kind, 1.0) for kind in KINDS]
        self._robots = [robot.name for robot in self._cell.robots]
        self._targets = [self._find_target() for _ in range(8)]
        self._draws = self._build_draws()

    def draw(self) -> AnyRequest:
        """The next request."""
        kind = self._random.choices(KINDS, self._weights)[0]
        robot = self._random.choice(self._robots)
        fields = {
            field.name: self._draw_field(field.name, robot)
            for field in _FIELDS[kind]
            if field.required or field.name in ("grant", "echo") or self._random.random() < 0.3
        }
        return self._number(kind, fields)

    def _number(self, kind: type, fields: dict[str, Any]) -> AnyRequest:
        """Mostly the next number; now and then one that was used, or one from far away."""
        del fields["sequence"]
        # A number from the far future would lock the sender itself out, as it deserves, and end the attack.
        if self._spoils():
            fields["sequence"] = self._random.choice((0, -1, 1, -(2**63)))
        if issubclass(kind, Query):
            fields.pop("grant", None)
        return self._operator.build(kind, **fields)

    def _spoils(self) -> bool:
        return self._random.random() < self._spite

    def _draw_field(self, name: str, robot: str) -> Any:
        return robot if name == "robot" and not self._spoils() else self._draws[name](robot)

    def _build_draws(self) -> dict[str, Callable[[str], Any]]:
        choose, number = self._random.choice, self._draw_number
        cell = self._cell
        frames = [*NAMES, *(frame.name for frame in cell.frames[:5])]
        numbers = dict.fromkeys(
            ("speed", "blend", "factor", "speed_m_s", "opening", "force_N", "mass_kg"), lambda _: number(0.0, 1.0)
        )
        triples = dict.fromkeys(
            ("translation_m", "origin_m", "on_x_m", "towards_y_m", "centre_m", "rotation_rad", "oat_rad"),
            lambda _: tuple(number(-0.1, 0.1) for _ in range(3)),
        )
        return {
            **numbers,
            **triples,
            "sequence": lambda _: 0,
            "sender": lambda _: choose(SENDERS),
            "grant": self._draw_grant,
            "others": self._draw_others,
            "parts": self._draw_parts,
            "echo": self._draw_echo,
            "ttl_s": lambda _: number(0.0, 0.3),
            "robot": lambda _: choose(NAMES),
            "version": lambda _: choose(("3.9", "2.0", "1.0", "3", "", VERSION)),
            "joints": self._draw_joints,
            "increments": lambda robot: self._spoil_row(
                [self._random.gauss(0.0, 0.2) for _ in cell.get_robot(robot).axes]
            ),
            "points": lambda robot: tuple(self._draw_joints(robot) for _ in range(self._random.randrange(5))),
            "velocities": lambda robot: tuple(self._draw_joints(robot) for _ in range(self._random.randrange(4))),
            "reference": self._draw_joints,
            "target": self._draw_placement,
            "offset": self._draw_placement,
            "frame": lambda _: choose(frames) if self._spoils() else "base",
            "branch": lambda _: choose(({}, {}, {"elbow": "above"}, {"elbow": "sideways"}, {"": ""})),
            "scheme": lambda _: choose(("jerk_limited", "parabolic", "quintic")),
            "via": lambda _: choose(("smooth", "average", "given")),
            "straight": lambda _: choose((True, False)),
            "pose": lambda _: choose((*NAMES, "zero", "ready")),
            "name": lambda _: choose((*NAMES, "valve", "door")),
            "names": lambda _: tuple(self._random.choices((*NAMES, "door"), k=self._random.randrange(3))),
            "kinds": lambda _: tuple(self._random.choices(("stopped", "nothing"), k=self._random.randrange(3))),
            "after": lambda _: choose((0, -5, 10, 2**62)),
            "source": lambda _: "inside",
            "priority": lambda _: choose((0, -1, 2**60)),
            "wait": lambda _: choose((True, False)),
            "attending": lambda _: choose((True, False)),
            "to": lambda _: choose(NAMES),
            "reason": lambda _: choose(("", "why not", "z" * 1000)),
            "holder": lambda _: choose(("tester", "", "x" * 100, "\n")),
            "author": lambda _: choose(("", "watcher", "y" * 1000)),
            "axes": lambda robot: tuple(
                self._random.choices(("", *cell.get_robot(robot).axis_names), k=self._random.randrange(3))
            ),
            "tool": lambda _: choose((*NAMES, *(tool.name for tool in cell.tools))),
            "on": lambda _: self._random.random() < 0.9,
            "value": lambda _: choose((True, False)),
        }

    # Values

    def _draw_number(self, low: float, high: float) -> float:
        return self._random.choice(NUMBERS) if self._spoils() else self._random.uniform(low, high)

    def _draw_grant(self, _: str) -> Grant | None:
        good = self._operator.grant
        return self._random.choice((None, Grant("", 1), Grant("test", -1))) if self._spoils() else good

    def _draw_others(self, _: str) -> tuple[Grant, ...]:
        own, tenures = self._operator.grant, self._operator.running.controller.grants.held
        others = tuple(grant for tenure in tenures if (grant := Grant("test", tenure)) != own)
        return (*others, Grant("test", 0), Grant("", 1)) if self._spoils() else others

    def _draw_parts(self, robot: str) -> tuple[tuple[str, ...], ...]:
        """A robot and the rest of the cell; now and then what does not add up."""
        axes = self._cell.get_robot(robot).axis_names
        rest = tuple(axis.name for axis in self._cell.axes if axis.name not in axes)
        return self._random.choice(((axes,), (axes, axes), (axes, ()), ())) if self._spoils() else (axes, rest)

    def _draw_echo(self, _: str) -> int | None:
        tick = self._operator.running.tick
        return self._random.choice((None, -1, tick + 5, tick - 1000, 2**70)) if self._spoils() else tick

    def _draw_joints(self, robot: str) -> tuple[float, ...]:
        axes = self._cell.get_robot(robot).axes
        return self._spoil_row([self._random.uniform(*axis.software_limits) for axis in axes])

    def _spoil_row(self, row: list[float]) -> tuple[float, ...]:
        if self._spoils():
            match self._random.randrange(3):
                case 0:
                    row.pop()
                case 1:
                    row.append(0.0)
                case _:
                    row[self._random.randrange(len(row))] = self._random.choice(NUMBERS)
        return tuple(row)

    def _draw_placement(self, _: str) -> Placement:
        """Near somewhere that a robot reaches."""
        good = self._random.choice(self._targets)
        position = tuple(value if not self._spoils() else self._random.choice(NUMBERS) for value in good.position_m)
        quaternion = good.quaternion_wxyz
        if self._spoils():
            quaternion = tuple(self._random.choice((*NUMBERS, 0.0)) for _ in range(4))
        return Placement(position, quaternion)  # pyright: ignore[reportArgumentType]

    def _find_target(self) -> Placement:
        robot = self._random.choice(self._robots)
        axes = self._cell.get_robot(robot).axes
        joints = tuple(float(np.mean(axis.software_limits)) + self._random.uniform(-0.3, 0.3) for axis in axes)
        solved = self._operator.running.answer(queries.SolveForward(sequence=0, robot=robot, joints=joints))
        assert isinstance(solved, replies.Solved)
        assert solved.pose is not None
        return solved.pose


def attack(operator: Operator, hostile: Hostile, count: int, per_tick: int) -> None:
    """Send hostile requests, several per tick, and help the cell on its feet again from time to time.

    Every reply must survive JSON, which has no word for what is not a number.
    """
    chance, left = random.Random(count), count
    while left > 0:
        if operator.running.tick % HELP_TICKS == 0:
            help_up(operator)
        batch = min(chance.randrange(per_tick + 1), left)
        for _ in range(batch):
            request = hostile.draw()
            operator.submit(decode_request(msgspec.json.encode(request)) if chance.random() < 0.1 else request)
        left -= batch
        for reply in operator.step():
            assert msgspec.json.decode(msgspec.json.encode(reply), type=AnyReply) == reply


def help_up(operator: Operator) -> None:
    """Control, no latch, power: what an honest holder sees to."""
    held = operator.running.state().grants
    if len(held) != 1 or held[0].sender != SENDER or len(held[0].axes) < len(operator.running.cell.axes):
        operator.ask(TakeBack, author="tester", reason="order")
        operator.take()
    operator.send(Reset)
    for robot in operator.running.cell.robots:
        operator.send(Power, robot=robot.name, on=True)
