"""What every request carries, whatever it asks for."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Joints = tuple[float, ...]

LONGEST_SENDER = 64


class Grant(msgspec.Struct, frozen=True):
    """The right to command.

    Attributes:
        epoch: drawn when the cell comes up, so that a restarted cell honours no old grant.
        tenure: grows with every grant.
    """

    epoch: str
    tenure: int


class Origin(msgspec.Struct, frozen=True, array_like=True):
    """Where a request came from: its sender, and its number among those of the sender."""

    sender: str
    sequence: int


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pose as plain numbers: metres, and a quaternion w, x, y, z."""

    position_m: Triple
    quaternion_wxyz: Quaternion = (1.0, 0.0, 0.0, 0.0)


class Request(msgspec.Struct, frozen=True, tag_field="request", kw_only=True, forbid_unknown_fields=True):
    """Base of all requests.

    Attributes:
        sequence: ties the reply to the request; grows from one command of a grant and channel to the next.
        sender: tells the senders of one cell apart; drawn by each of them when it begins to talk.
        grant: the sender's right to command; not needed to ask or to stop.
        echo: the newest tick of the cell that the sender has seen.
        ttl_s: how long after that tick the request is still wanted.
    """

    sequence: int
    sender: Annotated[str, msgspec.Meta(max_length=LONGEST_SENDER)] = ""
    grant: Grant | None = None
    echo: int | None = None
    ttl_s: float | None = None

    @property
    def origin(self) -> Origin:
        """By what its events name it."""
        return Origin(self.sender, self.sequence)


class Query(Request, frozen=True, kw_only=True):
    """Asks and changes nothing: anybody may, at any time."""


class Command(Request, frozen=True, kw_only=True):
    """Changes something: needs the grant, a sequence number that has grown on its channel, and a fresh echo."""

    channel: ClassVar[str] = "commands"


class SetPoint(Command, frozen=True, kw_only=True):
    """Part of a stream: numbered apart from the other commands, because the two overtake each other on their way."""

    channel: ClassVar[str] = "set_points"


class Renewal(Command, frozen=True, kw_only=True):
    """A sign of life: numbered apart, because it may come from a thread of its own."""

    channel: ClassVar[str] = "renewals"
