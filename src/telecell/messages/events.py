"""What a cell reports by itself, numbered one after the other."""

from __future__ import annotations

from typing import Literal

import msgspec

Outcome = Literal["arrived", "halted", "stopped"]


class Event(msgspec.Struct, frozen=True, tag_field="event", kw_only=True):
    """Base of all events.

    Attributes:
        number: one more than that of the event before.
        tick: when.
        request: sequence number of the request that caused it, if one did.
        sender: whose request that was.
        robot: whom it concerns, if it is one robot.
        segment: which segment, if it is one.
    """

    number: int
    tick: int
    request: int | None = None
    sender: str | None = None
    robot: str | None = None
    segment: int | None = None


class SegmentStarted(Event, frozen=True, tag="segment_started", kw_only=True):
    """A segment has begun to move the robot."""


class SegmentEnded(Event, frozen=True, tag="segment_ended", kw_only=True):
    """A segment has ended: at its target, or before."""

    outcome: Outcome


class StreamEnded(Event, frozen=True, tag="stream_ended", kw_only=True):
    """The robot follows no stream any more."""

    outcome: Outcome


class ModeChanged(Event, frozen=True, tag="mode_changed", kw_only=True):
    """A robot is in another mode."""

    mode: str
    before: str


class Stopped(Event, frozen=True, tag="stopped", kw_only=True):
    """Axes were stopped, and stay so until reset.

    Attributes:
        cause: a row of the table of stops.
        category: 0, 1 or 2.
        axes: which axes are latched by it.
        axis: the one that is to blame, where one is.
        reason: in words, with values and limits.
        author: who pressed, where somebody did.
    """

    cause: str
    category: int
    axes: tuple[str, ...]
    reason: str
    axis: str | None = None
    author: str | None = None


class StoppedAxesReset(Event, frozen=True, tag="reset", kw_only=True):
    """Axes may move again when they are asked to."""

    axes: tuple[str, ...]


class PowerChanged(Event, frozen=True, tag="power_changed", kw_only=True):
    """The drives of a robot's axes were switched."""

    on: bool


class GrantChanged(Event, frozen=True, tag="grant_changed", kw_only=True):
    """Something has changed in who may command.

    Attributes:
        change: a row of the table of changes.
        holder: whose grant or place in the queue it is.
        axes: which axes it is about.
        reason: in words.
        tenure: number of the grant; none for somebody who waits.
    """

    change: str
    holder: str
    axes: tuple[str, ...]
    reason: str
    tenure: int | None = None


class SignalChanged(Event, frozen=True, tag="signal_changed", kw_only=True):
    """A signal has another value."""

    name: str
    value: bool


class PosesChanged(Event, frozen=True, tag="poses_changed", kw_only=True):
    """A named pose was saved or deleted."""

    pose: str
    deleted: bool


class CommandRefused(Event, frozen=True, tag="command_refused", kw_only=True):
    """A command was refused.

    Attributes:
        left_out: how many refusals before this one were not told, because there were too many.
    """

    operation: str
    reason: str
    left_out: int = 0


class Warned(Event, frozen=True, tag="warned", kw_only=True):
    """Something that a person should know; the cell goes on."""

    reason: str


AnyEvent = (
    SegmentStarted
    | SegmentEnded
    | StreamEnded
    | ModeChanged
    | Stopped
    | StoppedAxesReset
    | PowerChanged
    | GrantChanged
    | SignalChanged
    | PosesChanged
    | CommandRefused
    | Warned
)

EVENT_KINDS = tuple(kind.__struct_config__.tag for kind in AnyEvent.__args__)
"""The tags of all events."""
