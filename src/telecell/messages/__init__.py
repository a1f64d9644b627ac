"""Requests, replies, events and states: frozen structs, the same JSON on every path."""

from telecell.messages.events import EVENT_KINDS, AnyEvent, Event
from telecell.messages.replies import AnyReply, ErrorReport, Refused, Reply
from telecell.messages.request import Command, Grant, Origin, Placement, Query, Renewal, Request, SetPoint
from telecell.messages.requests import OPERATIONS, AnyRequest, MalformedRequest, decode_request
from telecell.messages.state import (
    AxisState,
    CellSetup,
    CellState,
    ForceState,
    FrameState,
    GrantState,
    LoopState,
    RobotSetup,
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
    "CellSetup",
    "CellState",
    "Command",
    "ErrorReport",
    "Event",
    "ForceState",
    "FrameState",
    "Grant",
    "GrantState",
    "LoopState",
    "MalformedRequest",
    "Origin",
    "Placement",
    "Query",
    "Refused",
    "Renewal",
    "Reply",
    "Request",
    "RobotSetup",
    "RobotState",
    "SetPoint",
    "ToolState",
    "decode_request",
    "validate_version",
]
