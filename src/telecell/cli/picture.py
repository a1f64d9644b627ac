"""`telecell picture`: a cell as a PNG file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from telecell.cli.output import tell
from telecell.cli.selection import load
from telecell.errors import InputError, UnknownName

EXAMPLES = (
    "telecell picture cirsse",
    "telecell picture puma --view hand --pose work --out hand.png",
    "telecell picture puma560 --view side --width 1600 --height 1200",
)


def run(
    cell_name: Annotated[
        str, typer.Argument(metavar="CELL", help="A cell, a model, or the path of a cell file or folder.")
    ],
    view: Annotated[str, typer.Option(help="iso, front, side, top, or one of the cell's cameras.")] = "iso",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="PNG file; CELL-VIEW.png by default.")] = None,
    width: Annotated[int, typer.Option(help="Pixels.")] = 1280,
    height: Annotated[int, typer.Option(help="Pixels.")] = 800,
    pose: Annotated[str | None, typer.Option(help="A named pose; the cell's start by default.")] = None,
) -> None:
    """Draw a cell or model into a PNG file, without a display."""
    from telecell.facilities import list_postures
    from telecell.kinematics.posture import Posture
    from telecell.plant.cameras import render

    cell = load(cell_name)
    posture = Posture(cell)
    if pose is not None:
        postures = list_postures(cell)
        if pose not in postures:
            raise UnknownName("pose", pose, list(postures), where=f"cell {cell.name}")
        posture.set(postures[pose])
    picture = render(posture.model, posture.data, view, width=width, height=height)
    target = out or Path(f"{cell.name}-{view.replace('/', '-')}.png")
    try:
        picture.save(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(target)) from None
    tell(f"wrote {target} ({width} x {height})")
