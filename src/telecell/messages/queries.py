"""Requests that only ask."""

from __future__ import annotations

import msgspec

from telecell.messages.request import Joints, Placement, Query


class Hello(Query, frozen=True, tag="hello", kw_only=True):
    """The first request: may we talk? Another major version is refused."""

    version: str


class Describe(Query, frozen=True, tag="describe", kw_only=True):
    """What the cell has: axes, robots, frames, tools, signals, operations, versions."""


class Where(Query, frozen=True, tag="where", kw_only=True):
    """Where a robot is: its joints, and its frames in its base frame."""

    robot: str


class SolveForward(Query, frozen=True, tag="solve_forward", kw_only=True):
    """Where the tool of a robot would be with other joint values, in its base frame."""

    robot: str
    joints: Joints


class SolveInverse(Query, frozen=True, tag="solve_inverse", kw_only=True):
    """The joint values that bring the tool of a robot to a pose.

    Attributes:
        frame: what the pose is stated in: `base`, `world`, a user frame, or a frame of the cell.
        reference: joint values to stay near; where the robot is, if left out.
        branch: wanted names, such as `{"elbow": "above"}`.
    """

    robot: str
    target: Placement
    frame: str = "base"
    reference: Joints | None = None
    branch: dict[str, str] = msgspec.field(default_factory=dict)


class ReadSignals(Query, frozen=True, tag="read_signals", kw_only=True):
    """The values of named signals; of all if none is named."""

    names: tuple[str, ...] = ()


class Subscribe(Query, frozen=True, tag="subscribe", kw_only=True):
    """Events since a number, as far as the cell still has them.

    Attributes:
        after: the number of the last event that the sender has.
        kinds: tags of the wanted events; all if none is named.
    """

    after: int = 0
    kinds: tuple[str, ...] = ()


AnyQuery = Hello | Describe | Where | SolveForward | SolveInverse | ReadSignals | Subscribe
