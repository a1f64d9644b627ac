"""Requests, replies, events and states: frozen structs, the same JSON on every path."""

from telecell.messages.events import EVENT_KINDS, AnyEvent, Event
from telecell.messages.replies import AnyReply, ErrorReport, Refused, Reply
from telecell.messages.request import Command, Grant, Placement, Query, Request, SetPoint
from telecell.messages.requests import OPERATIONS, AnyRequest, MalformedRequest, decode_request
from telecell.messages.state import (
    AxisState,
    CellState,
    ForceState,
    FrameState,
    LoopState,
    RobotState,
    ToolState,
)
from telecell.messages.version import VERSION, validate_version

__all__ = [
    "EVENT_KINDS",
    "OPERATIONS",
    "VERSION",
    "AnyEvent",
    "AnyReply",
    "AnyRequest",
    "AxisState",
    "CellState",
    "Command",
    "ErrorReport",
    "Event",
    "ForceState",
    "FrameState",
    "Grant",
    "LoopState",
    "MalformedRequest",
    "Placement",
    "Query",
    "Refused",
    "Reply",
    "Request",
    "RobotState",
    "SetPoint",
    "ToolState",
    "decode_request",
    "validate_version",
]
