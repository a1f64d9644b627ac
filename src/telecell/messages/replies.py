"""The one answer to each request."""

from __future__ import annotations

import math

import msgspec

from telecell.errors import TelecellError, find_kind
from telecell.messages.events import AnyEvent, GrantChanged
from telecell.messages.request import Grant, Joints, Placement
from telecell.messages.state import GrantState

LONGEST_TEXT = 2000
MOST_CHOICES = 500


class Reply(msgspec.Struct, frozen=True, tag_field="reply"):
    """Base: the sequence number is that of the request."""

    sequence: int


class Done(Reply, frozen=True, tag="done"):
    """It was carried out."""


class Queued(Reply, frozen=True, tag="queued"):
    """The motion was accepted; events tell how it goes on.

    Attributes:
        segment: its number.
        duration_s: how long it takes at full rate.
        ends_in_s: when it will end at the present speed factor, as far as can be said now.
        goal: where the axes will be at its end.
    """

    segment: int
    duration_s: float
    ends_in_s: float
    goal: Joints


class Accepted(Reply, frozen=True, tag="accepted"):
    """A set-point was accepted.

    Attributes:
        goal: what is followed, after clipping to the limits.
        clipped: axes that were clipped.
    """

    goal: Joints
    clipped: tuple[str, ...] = ()


class GrantEntry(msgspec.Struct, frozen=True):
    """A grant, as its holder is told.

    Attributes:
        axes: which axes it is for.
        lease_s: it is lost after so long without a renewal; None for one that needs none.
        silence_s: motion is stopped after so long without a sign of life; None for one that needs none.
    """

    grant: Grant
    holder: str
    axes: tuple[str, ...]
    lease_s: float | None
    silence_s: float | None


class Granted(Reply, frozen=True, tag="granted"):
    """The sender holds these grants; what it held of their axes before is void."""

    grants: tuple[GrantEntry, ...]


class Waiting(Reply, frozen=True, tag="waiting"):
    """Not yet: the sender has a place in the queue, as long as it goes on asking.

    Attributes:
        place: 1 comes next.
        reason: what it waits for.
    """

    place: int
    reason: str


class WaitingEntry(msgspec.Struct, frozen=True):
    """Somebody who waits."""

    holder: str
    axes: tuple[str, ...]
    priority: int
    waited_s: float


class GrantsListed(Reply, frozen=True, tag="grants_listed"):
    """Who holds what, who waits, first the next, and the last changes, oldest first."""

    grants: tuple[GrantState, ...]
    waiting: tuple[WaitingEntry, ...]
    history: tuple[GrantChanged, ...]


class Welcome(Reply, frozen=True, tag="welcome"):
    """The versions agree."""

    version: str
    software: str
    cell: str
    period_s: float
    tick: int


class AxisEntry(msgspec.Struct, frozen=True):
    """One axis: what it is, and how far, how fast and how strongly it may be moved (rad or m)."""

    name: str
    title: str
    kind: str
    lower: float
    upper: float
    max_velocity: float
    max_acceleration: float
    max_jerk: float
    following_error: float


class RobotEntry(msgspec.Struct, frozen=True):
    """One robot."""

    name: str
    title: str
    axes: tuple[str, ...]
    base: str
    tip: str
    tool: str | None
    poses: dict[str, Joints]
    branches: dict[str, tuple[str, ...]]


class SignalEntry(msgspec.Struct, frozen=True):
    """One signal: `in` is read, `out` is set."""

    name: str
    title: str
    direction: str


class Described(Reply, frozen=True, tag="described"):
    """What the cell has."""

    version: str
    software: str
    cell: str
    title: str
    period_s: float
    axes: tuple[AxisEntry, ...]
    robots: tuple[RobotEntry, ...]
    tools: tuple[str, ...]
    signals: tuple[SignalEntry, ...]
    frames: tuple[str, ...]
    operations: tuple[str, ...]
    schemes: dict[str, str]


class Located(Reply, frozen=True, tag="located"):
    """Where a robot is, by its encoders.

    Attributes:
        joints: measured, rad or m.
        joints_desired: what the controller wants.
        frames: of the robot and what it carries, in its base frame; `tool` is the tool frame.
    """

    robot: str
    tick: int
    axes: tuple[str, ...]
    joints: Joints
    joints_desired: Joints
    frames: dict[str, Placement]


class SolvedPosture(msgspec.Struct, frozen=True):
    """One way to reach a pose."""

    joints: Joints
    branch: dict[str, str]
    inside_limits: bool


class Solved(Reply, frozen=True, tag="solved"):
    """Kinematics: of the forward kind `pose` is given, of the inverse kind `solutions`, nearest first."""

    pose: Placement | None = None
    solutions: tuple[SolvedPosture, ...] = ()
    reason: str = ""


class SignalsRead(Reply, frozen=True, tag="signals_read"):
    """The values of signals."""

    values: dict[str, bool]


class Subscribed(Reply, frozen=True, tag="subscribed"):
    """Events since a number.

    Attributes:
        newest: number of the newest event there is.
        lost: how many the cell no longer has.
    """

    events: tuple[AnyEvent, ...]
    newest: int
    lost: int


class ErrorReport(msgspec.Struct, frozen=True):
    """An error as plain values: its kind, its text, and the fields that explain it."""

    kind: str
    text: str
    what: str
    where: str | None = None
    value: float | str | None = None
    limit: float | str | None = None
    choices: tuple[str, ...] = ()
    remedy: str | None = None

    @classmethod
    def from_error(cls, error: TelecellError) -> ErrorReport:
        """What an error says."""
        return cls(
            kind=type(error).__name__,
            text=_shorten(str(error)),
            what=_shorten(error.what),
            where=error.where and _shorten(error.where),
            value=_plain(error.value),
            limit=_plain(error.limit),
            choices=tuple(_shorten(choice) for choice in error.choices[:MOST_CHOICES]),
            remedy=error.remedy,
        )

    def to_error(self) -> TelecellError:
        """The error again, of the same class, with the same text and fields."""
        kind = find_kind(self.kind)
        error = kind.__new__(kind)
        TelecellError.__init__(
            error,
            self.what,
            where=self.where,
            value=self.value,
            limit=self.limit,
            choices=self.choices,
            remedy=self.remedy,
        )
        error.args = (self.text,)
        return error


class Refused(Reply, frozen=True, tag="refused"):
    """Nothing was done, and why."""

    error: ErrorReport


AnyReply = (
    Done
    | Queued
    | Accepted
    | Granted
    | Waiting
    | GrantsListed
    | Welcome
    | Described
    | Located
    | Solved
    | SignalsRead
    | Subscribed
    | Refused
)


def _plain(value: object) -> float | str | None:
    """A value that JSON can carry."""
    if value is None or isinstance(value, str):
        return value and _shorten(value)
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return _shorten(repr(value))


def _shorten(text: str) -> str:
    """A text of bounded length: what a stranger sent may be in it."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} ..."
