"""What a client may ask of a cell, and the one answer to each request."""

from __future__ import annotations

import msgspec


class Request(msgspec.Struct, frozen=True, tag_field="request", kw_only=True, forbid_unknown_fields=True):
    """Base of all requests: the sequence number ties the reply to it."""

    sequence: int


class MoveAxes(Request, frozen=True, tag="move_axes", kw_only=True):
    """Bring axes to positions (rad or m), each as fast as its limits allow, without a jerk."""

    targets: dict[str, float]


class SetTool(Request, frozen=True, tag="set_tool", kw_only=True):
    """Open (1) or close (0) a tool."""

    tool: str
    opening: float


class Reply(msgspec.Struct, frozen=True, tag_field="reply", tag="reply"):
    """The answer to the request of that sequence number; an error means that nothing was done."""

    sequence: int
    error: str | None = None


AnyRequest = MoveAxes | SetTool
