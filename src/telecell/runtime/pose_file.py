"""The poses that users have named: one readable file per cell."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from telecell.errors import CellFileError, UnknownName
from telecell.models import Cell
from telecell.models.axis import read_pose
from telecell.runtime.state_folder import find_state_folder

MAX_BYTES = 1_000_000

Poses = Mapping[str, Mapping[str, tuple[float, ...]]]
"""Robot to name to joint values, rad or m."""


def find_pose_file(cell: Cell, site: str = "local") -> Path:
    """Where the saved poses of a cell are kept."""
    return find_state_folder(site, cell.name) / "poses.toml"


def read_poses(path: Path, cell: Cell) -> dict[str, dict[str, tuple[float, ...]]]:
    """The saved poses of a cell; none if there is no file.

    Raises:
        CellFileError: the file is not what it should be; it is left as it is.
        UnknownName: it names a robot that the cell does not have.
    """
    if not path.exists():
        return {}
    if path.stat().st_size > MAX_BYTES:
        raise CellFileError("too large", where=str(path), value=path.stat().st_size, limit=f"{MAX_BYTES} bytes")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, RecursionError) as error:
        raise CellFileError(f"cannot be read: {error}", where=str(path), remedy="Mend or remove the file.") from None
    return {name: _read_robot(name, entries, cell, path) for name, entries in content.items()}


def _read_robot(name: str, entries: object, cell: Cell, path: Path) -> dict[str, tuple[float, ...]]:
    if name not in [robot.name for robot in cell.robots]:
        raise UnknownName("robot", name, [robot.name for robot in cell.robots], where=str(path))
    if not isinstance(entries, dict):
        raise CellFileError("a table of poses is needed", where=f"{path}, {name}", value=entries)
    axes = cell.get_robot(name).axes
    return {
        pose: read_pose(_read_row(row, path, name, pose), axes, f"{path}, {name}.{pose}")
        for pose, row in entries.items()
    }


def _read_row(row: object, path: Path, robot: str, pose: str) -> list[float]:
    numbers = isinstance(row, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in row)
    if not numbers:
        raise CellFileError(
            "a list of numbers is needed",
            where=f"{path}, {robot}.{pose}",
            value=row,
            remedy="Write degrees for hinges and metres for slides.",
        )
    return [float(value) for value in row]  # pyright: ignore[reportGeneralTypeIssues]


def write_poses(path: Path, cell: Cell, poses: Poses) -> None:
    """Replace the file as a whole, so that it is never half written."""
    lines = [f"# Named poses of cell {cell.name}, saved by its users: degrees for hinges, metres for slides."]
    for robot in cell.robots:
        if poses.get(robot.name):
            lines += ["", f"[{robot.name}]"]
            for name, joints in poses[robot.name].items():
                written = [axis.to_written(value) for axis, value in zip(robot.axes, joints, strict=True)]
                lines.append(f"{name} = {written}")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(path)
