"""How the page writes axis values: degrees for hinges, millimetres for slides."""

from __future__ import annotations

import math
from collections.abc import Callable

from telecell.models import Axis

STEPS = {"hinge": 0.1, "slide": 1.0}
SYMBOLS = {"hinge": "°", "slide": " mm"}


def to_shown(axis: Axis, value: float) -> float:
    """Degrees or millimetres, in whole steps."""
    shown = math.degrees(value) if axis.kind == "hinge" else 1000 * value
    return _snap(shown, axis, round)


def from_shown(axis: Axis, shown: float) -> float:
    """Rad or m, inside the axis's software limits."""
    return axis.clamp(math.radians(shown) if axis.kind == "hinge" else shown / 1000)


def to_slider(axis: Axis, value: float) -> float:
    """Degrees or millimetres, in whole steps inside the slider's limits."""
    low, high = compute_slider_limits(axis)
    return min(max(to_shown(axis, value), low), high)


def compute_slider_limits(axis: Axis) -> tuple[float, float]:
    """The software limits in whole steps, rounded inwards."""
    low, high = (math.degrees(v) if axis.kind == "hinge" else 1000 * v for v in axis.software_limits)
    slack = 1e-6 * STEPS[axis.kind]  # so that -160 deg, through rad and back, stays -160
    return _snap(low - slack, axis, math.ceil), _snap(high + slack, axis, math.floor)


def write(axis: Axis, value: float) -> str:
    """An axis value with its unit, for people."""
    return f"{write_number(to_shown(axis, value), 1 if axis.kind == 'hinge' else 0)}{SYMBOLS[axis.kind]}"


def write_number(value: float, digits: int = 0) -> str:
    """A number for people: a real minus sign, and none before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def write_time(time_s: float) -> str:
    """Minutes and seconds."""
    minutes, seconds = divmod(int(time_s), 60)
    return f"{minutes}:{seconds:02d}"


def _snap(shown: float, axis: Axis, rounding: Callable[[float], int]) -> float:
    step = STEPS[axis.kind]
    digits = 1 if axis.kind == "hinge" else 0
    return round(rounding(shown / step) * step, digits) + 0.0  # + 0.0: no minus zero
