"""Open a cell in this process."""

from __future__ import annotations

from pathlib import Path

from telecell.client.cell_client import CellClient
from telecell.client.in_process import InProcess
from telecell.clock import SystemClock
from telecell.runtime import start_cell


def open_cell(
    name_or_path: str | Path,
    *,
    plant: str = "physics",
    seed: int = 0,
    real_time: bool = False,
    keep_poses: bool = True,
) -> CellClient:
    """Bring a cell up in this process, standing in its start pose without power.

    The cell lives inside the caller's own calls: whenever the program waits, its time passes, and it stands still in
    between.

    Args:
        name_or_path: a cell of the catalog (`"puma"`) or the path of a cell file or its folder.
        plant: `"physics"` for the MuJoCo twin, `"fake"` to have commands loop straight back, or another driver.
        seed: of the sensors' noise; the same seed and calls give the same bits.
        real_time: keep pace with the machine's clock; otherwise as fast as the machine allows.
        keep_poses: named poses are kept in the user's own folder.
    """
    running = start_cell(name_or_path, plant=plant, seed=seed, keep_poses=keep_poses)
    return CellClient.connect(InProcess(running, SystemClock() if real_time else None))
