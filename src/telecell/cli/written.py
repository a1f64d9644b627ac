"""Joint values of a running cell as people write them, on the page as here: degrees, and millimetres for slides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from telecell.cli.selection import parse_numbers

if TYPE_CHECKING:
    from telecell.messages.replies import AxisEntry


def parse_joint_values(text: str, axes: Sequence[AxisEntry], option: str) -> tuple[float, ...]:
    """Joint values in rad and m from text such as `"0 -90 90 0 0 0"`.

    Raises:
        typer.BadParameter: not numbers, not finite, or not one per axis.
    """
    written = parse_numbers(text, option)
    if len(written) != len(axes):
        units = ", ".join(f"{axis.title} ({get_unit(axis)})" for axis in axes)
        raise typer.BadParameter(
            f"{len(axes)} values are needed in one quoted argument, got {len(written)}: {units}", param_hint=option
        )
    return tuple(
        math.radians(value) if axis.kind == "hinge" else value / 1000 for axis, value in zip(axes, written, strict=True)
    )


def write_value(axis: AxisEntry, value: float) -> str:
    """A value with as many decimals as matter: hundredths of a degree, tenths of a millimetre."""
    return f"{math.degrees(value):z.2f}" if axis.kind == "hinge" else f"{1000 * value:z.1f}"


def write_joint_values(axes: Sequence[AxisEntry], values: Sequence[float]) -> str:
    """All values of a robot in one line, with their units."""
    numbers = " ".join(write_value(axis, value) for axis, value in zip(axes, values, strict=True))
    return f"{numbers} ({'/'.join(dict.fromkeys(map(get_unit, axes)))})"


def get_unit(axis: AxisEntry) -> str:
    """The unit in which values of an axis are written."""
    return "deg" if axis.kind == "hinge" else "mm"
