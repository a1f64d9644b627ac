"""What the sliders ask for: one stream of set-points per robot, for as long as its person is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from telecell.errors import TelecellError
from telecell.messages.moves import EndStream, Renew, StreamJoints
from telecell.models import Robot
from telecell.station.audience import Audience, ClientId
from telecell.station.commander import Commander
from telecell.station.state import StationState

REST_S = 0.3
"""How long a slider must rest before its stream ends: longer than the pauses between two moves of one drag."""

ARRIVED = 1e-6
"""Rad or m."""


@dataclass(slots=True)
class _Stream:
    """The stream of one robot.

    Attributes:
        goal: where its person wants each axis.
        client: the person.
        touched_s: when a slider was last moved.
        accepted: what the cell has made of the goal, once it has answered.
    """

    goal: dict[str, float]
    client: ClientId
    touched_s: float
    accepted: tuple[float, ...] | None = None


class Streams:
    """Turns moved sliders into streams.

    A stream is renewed from the page's own loop until the robot has arrived and the slider rests. When the browser of
    its person is gone, nothing renews it, and the cell stops the robot.

    Args:
        state: what the page knows.
        commander: passes on.
        audience: who is there.
    """

    def __init__(self, state: StationState, commander: Commander, audience: Audience):
        self._state = state
        self._commander = commander
        self._audience = audience
        self._streams: dict[str, _Stream] = {}

    def move(self, robot: Robot, axis: str, target: float, client: ClientId, now_s: float) -> None:
        """A person wants an axis somewhere (rad or m); the others stay where they are wanted."""
        stream = self._streams.get(robot.name) or self._begin(robot, client, now_s)
        if stream is None:
            return
        stream.goal[axis] = target
        stream.client, stream.touched_s = client, now_s

        def settle(accepted: Any, error: TelecellError | None) -> None:
            if error is None:
                stream.accepted = accepted.goal
            else:
                self._forget(robot.name, stream)

        self._commander.ask(StreamJoints, client, settle, robot=robot.name, joints=tuple(stream.goal.values()))

    def _begin(self, robot: Robot, client: ClientId, now_s: float) -> _Stream | None:
        """A stream that begins where the set-points are; None if the cell does not report them all."""
        axes = [self._state.get_axis(name) for name in robot.axis_names]
        goal = {axis.name: axis.q_desired for axis in axes if axis is not None}
        if len(goal) < len(axes):
            return None
        return self._streams.setdefault(robot.name, _Stream(goal, client, now_s))

    def is_active(self, robot: str) -> bool:
        """Whether a person's sliders move a robot, or have just asked for it."""
        return robot in self._streams

    def update(self, now_s: float) -> None:
        """Renew the streams, or end them; once per beat of the page."""
        for robot, stream in list(self._streams.items()):
            if not self._audience.is_here(stream.client):
                self._forget(robot, stream)
            elif now_s - stream.touched_s > REST_S and self._has_arrived(stream):
                self._commander.ask(EndStream, robot=robot)
                self._forget(robot, stream)
            else:
                self._renew(robot, stream)

    def forget(self) -> None:
        """The cell was restarted: it follows nothing."""
        self._streams.clear()

    def _renew(self, robot: str, stream: _Stream) -> None:
        def settle(_: Any, error: TelecellError | None) -> None:
            if error is not None:  # stopped or halted: its event tells more than this
                self._forget(robot, stream)

        self._commander.ask(Renew, None, settle, robot=robot)

    def _has_arrived(self, stream: _Stream) -> bool:
        axes = [self._state.get_axis(name) for name in stream.goal]
        return stream.accepted is not None and all(
            axis is not None and abs(axis.q_desired - goal) < ARRIVED
            for axis, goal in zip(axes, stream.accepted, strict=True)
        )

    def _forget(self, robot: str, stream: _Stream) -> None:
        if self._streams.get(robot) is stream:
            del self._streams[robot]
