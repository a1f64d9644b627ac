"""Requests, replies and states: frozen structs, the same JSON on every path."""

from telecell.messages.requests import AnyRequest, MoveAxes, Reply, Request, SetTool
from telecell.messages.state import (
    VERSION,
    AxisState,
    BeamState,
    CellState,
    ForceState,
    FrameState,
    LoopState,
    RobotState,
    ToolState,
)

__all__ = [
    "VERSION",
    "AnyRequest",
    "AxisState",
    "BeamState",
    "CellState",
    "ForceState",
    "FrameState",
    "LoopState",
    "MoveAxes",
    "Reply",
    "Request",
    "RobotState",
    "SetTool",
    "ToolState",
]
