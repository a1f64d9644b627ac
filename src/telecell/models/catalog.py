"""The robots, tools, parts and cells that come with Telecell."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from telecell.errors import UnknownName
from telecell.models.description import CellFile, ModelFile
from telecell.models.files import read_toml

DATA = Path(str(files("telecell.models") / "data"))
MODELS = DATA / "robots"
CELLS = DATA / "cells"


def list_models() -> dict[str, ModelFile]:
    """Every model of the catalog by name."""
    return {path.parent.name: read_toml(path, ModelFile) for path in sorted(MODELS.glob("*/model.toml"))}


def list_cells() -> dict[str, CellFile]:
    """Every cell of the catalog by name."""
    return {path.parent.name: read_toml(path, CellFile) for path in sorted(CELLS.glob("*/cell.toml"))}


def get_model_folder(name: str, where: str | None = None) -> Path:
    """The folder of a catalog model."""
    known = [path.parent.name for path in MODELS.glob("*/model.toml")]
    if name not in known:
        raise UnknownName("model", name, known, where=where)
    return MODELS / name


def get_cell_path(name: str) -> Path:
    """The cell file of a catalog cell."""
    known = [path.parent.name for path in CELLS.glob("*/cell.toml")]
    if name not in known:
        raise UnknownName("cell", name, known)
    return CELLS / name / "cell.toml"
