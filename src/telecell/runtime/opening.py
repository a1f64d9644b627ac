"""Start a cell in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from telecell.errors import UnknownName
from telecell.models import load_cell
from telecell.plant import FakePlant, PhysicsPlant
from telecell.runtime.running import RunningCell

PlantName = Literal["physics", "fake"]


def open_cell(name_or_path: str | Path, *, plant: PlantName = "physics", seed: int = 0) -> RunningCell:
    """Load a cell and bring it up in this process, standing in its start pose.

    Args:
        name_or_path: a cell of the catalog (`"cirsse"`) or the path of a cell file or its folder.
        plant: `"physics"` for the MuJoCo twin, `"fake"` to have commands loop straight back.
        seed: of the sensors' noise.
    """
    cell = load_cell(name_or_path)
    if plant == "physics":
        return RunningCell(cell, PhysicsPlant(cell, seed=seed))
    if plant == "fake":
        return RunningCell(cell, FakePlant(cell))
    raise UnknownName("plant", plant, ["physics", "fake"])
