"""`telecell robots`: the models of the catalog."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from telecell.cli.output import JsonFlag, print_json, print_table

EXAMPLES = ("telecell robots", "telecell robots --kind tool", "telecell robots --json")


class Kind(StrEnum):
    """What a model is; robots are listed first."""

    robot = "robot"
    tool = "tool"
    fixture = "fixture"
    part = "part"


def run(
    kind: Annotated[Kind | None, typer.Option(help="Only models of this kind.")] = None, as_json: JsonFlag = False
) -> None:
    """List the robots, tools, fixtures and parts of the catalog."""
    from telecell.models import list_models
    from telecell.models.catalog import MODELS
    from telecell.models.model import Model

    order = [item.value for item in Kind]
    names = [name for name, file in list_models().items() if kind is None or file.kind == kind.value]
    models = sorted(
        (Model.from_folder(MODELS / name, MODELS / name) for name in names),
        key=lambda model: order.index(model.description.kind),
    )
    if as_json:
        rows = [
            {
                "name": model.name,
                "kind": model.description.kind,
                "title": model.description.title,
                "description": model.description.description,
                "axis_count": len(model.axis_names),
                "path": str(model.path),
            }
            for model in models
        ]
        print_json({"models": rows})
        return
    print_table(
        "Models",
        ("name", "kind", "axes", "title"),
        ((m.name, m.description.kind, len(m.axis_names), m.description.title) for m in models),
    )
