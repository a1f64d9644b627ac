"""`telecell check`: whether a cell is right and fit for use."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING, Annotated

import typer

from telecell.cli.output import JsonFlag, print_json, print_table, tell
from telecell.cli.selection import load
from telecell.errors import TelecellError

if TYPE_CHECKING:
    from telecell.facilities import Finding

EXAMPLES = ("telecell check puma", "telecell check ./my_cell", "telecell check my_cell/cell.toml --json")


def run(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A cell file, its folder, or a cell or model of the catalog.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Check whether a cell is right and fit for use.

    Format, masses, limits of the named poses, collisions in them, reach, servos.
    The exit code is 1 when there is an error, 0 when there are only warnings.
    """
    findings = _find(file)
    wrong = any(finding.severity == "error" for finding in findings)
    if as_json:
        import msgspec

        print_json({"file": file, "fit": not wrong, "findings": msgspec.to_builtins(findings)})
    else:
        print_table(f"Check of {file}", ("check", "severity", "where", "finding"), map(_row, findings))
        counts = {s: sum(finding.severity == s for finding in findings) for s in ("error", "warning")}
        tell(f"errors: {counts['error']}, warnings: {counts['warning']}")
    if wrong:
        raise typer.Exit(1)


def _find(file: str) -> tuple[Finding, ...]:
    from telecell.facilities import Finding, check_cell

    try:
        cell = load(file)
        loaded = Finding(check="format", severity="ok", where=str(cell.path), what="the files are well formed")
        return loaded, *check_cell(cell)
    except TelecellError as error:
        # The same text without the place and the remedy, which have columns of their own.
        what = str(TelecellError(error.what, value=error.value, limit=error.limit, choices=error.choices))
        where, remedy = error.where or file, error.remedy or ""
        return (Finding(check="format", severity="error", where=where, what=what, remedy=remedy),)


def _row(finding: Finding) -> tuple[str, ...]:
    text = finding.what
    if finding.value is not None and finding.limit is not None:
        text += f": {_format(finding.value, finding.unit)}, limit {_format(finding.limit, finding.unit)}"
    if finding.remedy:
        text += f". {finding.remedy}"
    return finding.check, finding.severity, finding.where, text


def _format(value: float, unit: str) -> str:
    number, unit = (degrees(value), "deg") if unit == "rad" else (value, unit)
    return f"{number:.4g} {unit}".strip()
