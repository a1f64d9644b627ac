"""Telecell: a telerobotics workbench in Python.

The front door. Names are loaded when they are first used, so that `import telecell` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from telecell.release import RELEASE

__version__ = RELEASE

if TYPE_CHECKING:
    from telecell.clock import ManualClock, SystemClock
    from telecell.errors import (
        InputError,
        JointOutOfRange,
        NoSolution,
        RenderingUnavailable,
        TelecellError,
        UnknownName,
    )
    from telecell.geometry import Pose, deg
    from telecell.models import list_cells, list_models, load_cell
    from telecell.runtime import RunningCell, open_cell

_HOMES = {
    "InputError": "telecell.errors",
    "JointOutOfRange": "telecell.errors",
    "ManualClock": "telecell.clock",
    "NoSolution": "telecell.errors",
    "Pose": "telecell.geometry",
    "RenderingUnavailable": "telecell.errors",
    "RunningCell": "telecell.runtime",
    "SystemClock": "telecell.clock",
    "TelecellError": "telecell.errors",
    "UnknownName": "telecell.errors",
    "deg": "telecell.geometry",
    "list_cells": "telecell.models",
    "list_models": "telecell.models",
    "load_cell": "telecell.models",
    "open_cell": "telecell.runtime",
}

__all__ = [
    "InputError",
    "JointOutOfRange",
    "ManualClock",
    "NoSolution",
    "Pose",
    "RenderingUnavailable",
    "RunningCell",
    "SystemClock",
    "TelecellError",
    "UnknownName",
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
