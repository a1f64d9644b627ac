"""Tables and messages for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from math import degrees
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from telecell.models import Axis

PIPE_WIDTH = 160
"""Columns of a table that no terminal limits."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document (SI units) instead of tables.")]


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document; it holds finite numbers only."""
    print(json.dumps(document, indent=2, allow_nan=False))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; a table without rows is left out."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(str(value) for value in row))
    if table.row_count:
        width = None if sys.stdout.isatty() else PIPE_WIDTH
        Console(width=width, markup=False, highlight=False).print(table)


def tell(text: str) -> None:
    """Say something to the person at the terminal, beside the result."""
    print(text, file=sys.stderr)


def get_unit_suffix(axes: Sequence[Axis]) -> str:
    """`rad` for joint values of hinges only, `rad_m` where there are slides."""
    return "rad" if all(axis.kind == "hinge" for axis in axes) else "rad_m"


def format_value(axis: Axis, value: float, *, unit: bool = True) -> str:
    """A value of an axis as people write it: degrees for hinges, metres for slides."""
    number, name = (f"{degrees(value):z.2f}", "deg") if axis.kind == "hinge" else (f"{value:z.4f}", "m")
    return f"{number} {name}" if unit else number
