"""Tables and messages for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from telecell.messages.replies import AxisEntry
    from telecell.models import Axis

PIPE_WIDTH = 160
"""Columns of a table that no terminal limits."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document (SI units) instead of tables.")]


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document; it holds finite numbers only."""
    print(json.dumps(document, indent=2, allow_nan=False))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table, numbers to the right; without rows, print nothing."""
    from rich.console import Console

    cells = [[str(value) for value in row] for row in rows]
    if not cells:
        return
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    Console(width=width, markup=False, highlight=False).print(build_table(title, columns, cells))


def build_table(title: str, columns: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    """A table in the style of the program, numbers to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_header=any(columns),
    )
    for column, values in zip(columns, zip(*cells, strict=True), strict=True):
        table.add_column(column, justify="right" if all(map(_is_number, values)) else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    return table


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def tell(text: str) -> None:
    """Say something to the person at the terminal, beside the result."""
    print(text, file=sys.stderr)


def get_unit_suffix(axes: Sequence[Axis | AxisEntry]) -> str:
    """`rad` for joint values of hinges only, `rad_m` where there are slides."""
    return "rad" if all(axis.kind == "hinge" for axis in axes) else "rad_m"


def get_written_unit(axis: Axis) -> str:
    """The unit in which people write values of an axis."""
    return "deg" if axis.kind == "hinge" else "m"


def format_value(axis: Axis, value: float, decimals: int | None = None) -> str:
    """A value of an axis as people write it, with a fixed number of decimals or as few as it needs."""
    number = axis.to_written(value)
    if decimals is not None:
        return f"{number:z.{decimals}f}"
    return f"{round(number, 2 if axis.kind == 'hinge' else 4):zg}"
