"""Bring a cell up in this process."""

from __future__ import annotations

from pathlib import Path

from telecell.models import load_cell
from telecell.plant.drivers import load_driver
from telecell.runtime.pose_file import find_pose_file
from telecell.runtime.running import RunningCell


def start_cell(
    name_or_path: str | Path,
    *,
    plant: str = "physics",
    seed: int = 0,
    epoch: str = "",
    keep_poses: bool = True,
    profile: str | None = None,
    site: str = "local",
) -> RunningCell:
    """Load a cell and bring it up, standing without power; `close` it, or use it as a context.

    Args:
        name_or_path: a cell of the catalog (`"cirsse"`) or the path of a cell file or its folder.
        plant: `"physics"` for the MuJoCo twin, `"fake"` to have commands loop straight back, or another driver.
        seed: of the sensors' noise.
        epoch: tells this run of the cell from every other.
        keep_poses: named poses are kept in the user's own folder.
        profile: the rules of control; those that the cell file names if left out.
        site: whose cell it is; every site has named poses of its own.
    """
    cell = load_cell(name_or_path)
    driver = load_driver(plant)(cell, seed=seed)
    driver.start()
    try:
        return RunningCell(
            cell,
            driver,
            epoch=epoch,
            pose_file=find_pose_file(cell, site) if keep_poses else None,
            profile=profile or cell.file.control.profile,
        )
    except BaseException:
        driver.close()
        raise
