"""From what a person types to a cell, a robot, a frame or joint values."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from telecell.cli.output import get_written_unit
from telecell.errors import InputError, UnknownName

if TYPE_CHECKING:
    from telecell.models import Cell, Robot

ROBOT_FILES = (".xml", ".mjcf", ".urdf")


def load(name: str) -> Cell:
    """The cell of that name in the catalog, a cell with just the model of that name, or a person's own by its path.

    A bare name means the catalog first, so that a folder that happens to be called like a cell does not hide it.

    Raises:
        UnknownName: neither a cell nor a model.
        CellFileError: the cell file is wrong.
    """
    from telecell.models import list_cells, list_models, load_cell, load_model_cell

    cells, models = list_cells(), list_models()
    if name in cells:
        return load_cell(name)
    if name in models:
        return load_model_cell(name)
    if _is_path(name):
        return load_cell(_refuse_robot_file(Path(name)))
    raise UnknownName("cell or model", name, [*cells, *models])


def is_model(cell: Cell) -> bool:
    """Whether a cell was made around a model of the catalog."""
    return cell.path.name == "model.toml"


def select_robot(text: str) -> tuple[Cell, Robot]:
    """The robot that a person means: `MODEL`, `CELL/ROBOT`, `PATH:ROBOT`, or a cell that has only one.

    Raises:
        UnknownName: no such model, cell or robot.
        InputError: no robot, or more than one to choose from.
    """
    cell_name, robot_name = _split(text)
    cell = load(cell_name)
    if robot_name:
        return cell, cell.get_robot(robot_name)
    if len(cell.robots) != 1:
        raise InputError(
            "no robot with kinematics" if not cell.robots else "more than one robot",
            where=cell_name,
            choices=[f"{cell_name}{':' if _is_path(cell_name) else '/'}{robot.name}" for robot in cell.robots],
            remedy=None if cell.robots else "`telecell robots --kind robot` lists those that have some.",
        )
    return cell, cell.robots[0]


def find_frame(cell: Cell, name: str) -> str:
    """The full name of a frame; `<mount>/` may be left out where only one mount has a frame of that name.

    Raises:
        UnknownName: no such frame.
        InputError: more than one.
    """
    known = [frame.name for frame in cell.frames]
    if name in known:
        return name
    matches = [full for full in known if full.partition("/")[2] == name]
    if not matches:
        raise UnknownName("frame", name, known, where=cell.name)
    if len(matches) > 1:
        raise InputError("more than one frame of that name", where=cell.name, value=name, choices=matches)
    return matches[0]


def parse_joints(text: str, robot: Robot, option: str) -> tuple[float, ...]:
    """Joint values in SI units from text such as `"0 -90 90 0 0 0"`: degrees for hinges, metres for slides.

    Raises:
        typer.BadParameter: not numbers, not finite, or not one per axis.
    """
    written = parse_numbers(text, option)
    if len(written) != len(robot.axes):
        units = ", ".join(f"{axis.title} ({get_written_unit(axis)})" for axis in robot.axes)
        raise typer.BadParameter(
            f"{robot.name} needs {len(robot.axes)} values in one quoted argument, got {len(written)}: {units}",
            param_hint=option,
        )
    return tuple(axis.from_written(value) for axis, value in zip(robot.axes, written, strict=True))


def parse_numbers(text: str, option: str) -> list[float]:
    """The numbers in one quoted argument, with blanks or commas between them.

    Raises:
        typer.BadParameter: not numbers, or not finite.
    """
    return [_parse_number(word, option) for word in text.replace(",", " ").split()]


def require_finite(numbers: tuple[float, float, float], option: str) -> tuple[float, float, float]:
    """Three numbers of an option, refused when one of them is not finite.

    Raises:
        typer.BadParameter: NaN or infinity.
    """
    if not all(math.isfinite(number) for number in numbers):
        raise typer.BadParameter(f"finite numbers are needed, got {numbers}", param_hint=option)
    return numbers


def _parse_number(word: str, option: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise typer.BadParameter(f"{word!r} is not a number", param_hint=option) from None
    if not math.isfinite(number):
        raise typer.BadParameter(f"finite numbers are needed, got {word!r}", param_hint=option)
    return number


def _is_path(name: str) -> bool:
    path = Path(name)
    return len(path.parts) > 1 or path.suffix in (".toml", *ROBOT_FILES) or path.is_dir()


def _refuse_robot_file(path: Path) -> Path:
    if path.suffix.lower() in ROBOT_FILES:
        raise InputError(
            "a robot file, not a cell", where=str(path), remedy=f"Make a cell of it first: telecell new {path}"
        )
    return path


def _split(text: str) -> tuple[str, str]:
    """Cell or model, and the robot where one is named."""
    if ":" in text:
        cell, _, robot = text.rpartition(":")
        return cell, robot
    if text.count("/") == 1 and not text.startswith((".", "/")) and not Path(text).exists():
        cell, _, robot = text.partition("/")
        return cell, robot
    return text, ""
