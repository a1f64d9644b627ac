"""Telecell: a telerobotics workbench in Python.

The front door. Names are loaded when they are first used, so that `import telecell` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from telecell.release import RELEASE

__version__ = RELEASE

if TYPE_CHECKING:
    from telecell.client import CellClient, Manipulator, Segment, connect, open_cell
    from telecell.clock import ManualClock, SystemClock
    from telecell.errors import (
        CellUnreachable,
        DeadlineExceeded,
        FollowingErrorExceeded,
        InputError,
        JointOutOfRange,
        MotionHalted,
        MotionStopped,
        NoArmPower,
        NoSolution,
        NotHolder,
        RenderingUnavailable,
        TelecellError,
        UnknownName,
    )
    from telecell.geometry import Pose, deg
    from telecell.models import list_cells, list_models, load_cell

_HOMES = {
    "CellClient": "telecell.client",
    "CellUnreachable": "telecell.errors",
    "DeadlineExceeded": "telecell.errors",
    "FollowingErrorExceeded": "telecell.errors",
    "InputError": "telecell.errors",
    "JointOutOfRange": "telecell.errors",
    "Manipulator": "telecell.client",
    "ManualClock": "telecell.clock",
    "MotionHalted": "telecell.errors",
    "MotionStopped": "telecell.errors",
    "NoArmPower": "telecell.errors",
    "NoSolution": "telecell.errors",
    "NotHolder": "telecell.errors",
    "Pose": "telecell.geometry",
    "RenderingUnavailable": "telecell.errors",
    "Segment": "telecell.client",
    "SystemClock": "telecell.clock",
    "TelecellError": "telecell.errors",
    "UnknownName": "telecell.errors",
    "connect": "telecell.client",
    "deg": "telecell.geometry",
    "list_cells": "telecell.models",
    "list_models": "telecell.models",
    "load_cell": "telecell.models",
    "open_cell": "telecell.client",
}

__all__ = [
    "CellClient",
    "CellUnreachable",
    "DeadlineExceeded",
    "FollowingErrorExceeded",
    "InputError",
    "JointOutOfRange",
    "Manipulator",
    "ManualClock",
    "MotionHalted",
    "MotionStopped",
    "NoArmPower",
    "NoSolution",
    "NotHolder",
    "Pose",
    "RenderingUnavailable",
    "Segment",
    "SystemClock",
    "TelecellError",
    "UnknownName",
    "connect",
    "deg",
    "list_cells",
    "list_models",
    "load_cell",
    "open_cell",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'telecell' has no attribute {name!r}; it has: {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
