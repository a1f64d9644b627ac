"""Names and numbers as small tables."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_TABLE = "width:100%;border-collapse:collapse;font-size:0.78125em;font-variant-numeric:tabular-nums"
_NAME = "padding:0.06em 0;color:#5d6b7a"
_NUMBER = "padding:0.06em 0;text-align:right;white-space:nowrap"
_LOG = "height:5.2em;overflow-y:auto;margin:0 0.75em 0.4em;border-top:1px solid #e3e8ee;padding-top:0.2em"
_TIME = "padding:0.06em 0.8em 0.06em 0;color:#5d6b7a;vertical-align:top;width:1%"
_TEXT = "padding:0.06em 0"
_BAR = "display:flex;justify-content:space-between;padding:0.2em 0.75em 0.7em;font-variant-numeric:tabular-nums"
_BAR_NAME = "font-size:0.6875em;letter-spacing:0.03em;color:#5d6b7a"
_BAR_VALUE = "font-size:0.875em;font-weight:600"


class Row:
    """A name and its values; by the key, programs find the row in the page."""

    def __init__(self, key: str, name: str, *values: str):
        self.key = key
        self.name = name
        self.values = values


def write_table(rows: Iterable[Row]) -> str:
    """One line per row: the name on the left, its values on the right."""
    body = "".join(_write_row(row) for row in rows)
    return f'<div style="padding:0 0.75em 0.2em"><table style="{_TABLE}">{body}</table></div>'


def write_bar(rows: Iterable[Row]) -> str:
    """All rows side by side: each value under its name."""
    return f'<div style="{_BAR}">{"".join(_write_column(row) for row in rows)}</div>'


def write_log(key: str, lines: Iterable[tuple[str, str]]) -> str:
    """One line per time and text, in a box that keeps its height; by the key, programs find it in the page."""
    body = "".join(
        f'<tr><td style="{_TIME}">{escape(time)}</td><td style="{_TEXT}">{escape(text)}</td></tr>'
        for time, text in lines
    )
    return f'<div data-row="{escape(key)}" style="{_LOG}"><table style="{_TABLE}">{body}</table></div>'


def _write_row(row: Row) -> str:
    cells = "".join(f'<td style="{_NUMBER}">{escape(value)}</td>' for value in row.values)
    return f'<tr data-row="{escape(row.key)}"><td style="{_NAME}">{escape(row.name)}</td>{cells}</tr>'


def _write_column(row: Row) -> str:
    values = escape(" ".join(row.values))
    return (
        f'<div data-row="{escape(row.key)}"><div style="{_BAR_NAME}">{escape(row.name)}</div>'
        f'<div style="{_BAR_VALUE}">{values}</div></div>'
    )
