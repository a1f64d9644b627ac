"""`telecell cells`: the cells of the catalog."""

from __future__ import annotations

from telecell.cli.output import JsonFlag, print_json, print_table

EXAMPLES = ("telecell cells", "telecell cells --json")


def run(as_json: JsonFlag = False) -> None:
    """List the cells that come with Telecell."""
    from telecell.models import list_cells, load_cell

    cells = [load_cell(name) for name in list_cells()]
    if as_json:
        rows = [
            {
                "name": cell.name,
                "title": cell.title,
                "description": cell.description,
                "robots": [robot.name for robot in cell.robots],
                "axis_count": len(cell.axes),
                "path": str(cell.path),
            }
            for cell in cells
        ]
        print_json({"cells": rows})
        return
    print_table(
        "Cells",
        ("name", "title", "axes", "robots"),
        ((cell.name, cell.title, len(cell.axes), ", ".join(robot.name for robot in cell.robots)) for cell in cells),
    )
