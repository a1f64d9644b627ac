"""`telecell new`: a cell around a robot file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from telecell.cli.output import print_table

if TYPE_CHECKING:
    from telecell.models import Cell

EXAMPLES = (
    "telecell new robot.xml",
    "telecell new arm.urdf --out my_arm --package arm_description=../arm_description",
)


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The robot's MJCF or URDF file.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder to make; the file's name without its ending by default.")
    ] = None,
    package: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="Where a ROS package of package:// addresses is; may be repeated."),
    ] = None,
) -> None:
    """Make a cell of a robot file: copy it with its meshes, propose axes, robots and tools."""
    from telecell.facilities.new import write_proposal
    from telecell.models import load_cell

    folder = out or Path(file.stem)
    path = write_proposal(file, folder, dict(map(_parse_package, package or [])))
    _print_proposal(load_cell(path), folder)


def _parse_package(text: str) -> tuple[str, Path]:
    name, equals, folder = text.partition("=")
    if not (name and equals and folder):
        raise typer.BadParameter(f"NAME=DIR is needed, got {text!r}", param_hint="--package")
    return name, Path(folder)


def _print_proposal(cell: Cell, folder: Path) -> None:
    print(f"Wrote {cell.path}, to be edited as you like. Proposed:\n")
    print_table(
        "Robots",
        ("name", "axes", "base", "tip", "tool"),
        ((r.name, len(r.axes), r.base, r.tip, r.tool or "") for r in cell.robots),
    )
    print_table(
        "Tools", ("name", "drive", "tip", "joints"), ((t.name, t.drive, t.tip, " ".join(t.joints)) for t in cell.tools)
    )
    print(f"Axes: {', '.join(axis.name for axis in cell.axes) or 'none'}\n")
    print("Try next:")
    for command in ("check", "show", "picture", "up"):
        print(f"  telecell {command} {_as_argument(folder)}")


def _as_argument(folder: Path) -> str:
    """The folder so that no command takes it for a name of the catalog."""
    return str(folder) if folder.is_absolute() or len(folder.parts) > 1 else f"./{folder}"
