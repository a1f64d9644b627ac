"""Reading what a person wrote, with bounds: size, folder, depth, and one clear error per mistake."""

from __future__ import annotations

import math
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from telecell.errors import CellFileError
from telecell.models.mistakes import explain

MAX_FILE_BYTES = 10_000_000
FileType = TypeVar("FileType", bound=msgspec.Struct)


def check_file(path: Path, where: str | None = None) -> None:
    """Refuse what is missing, too large, or not an ordinary file.

    Args:
        path: the file.
        where: who names it, for the error.

    Raises:
        CellFileError: with the reason.
    """
    culprit = {"where": where, "value": str(path)} if where else {"where": str(path)}
    try:
        status = path.stat()
    except FileNotFoundError:
        raise CellFileError("file not found", **culprit, remedy="Check the name and its capitals.") from None
    except OSError as error:
        raise CellFileError(f"cannot be read: {error.strerror}", **culprit) from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
        raise CellFileError(f"a file is needed, this is {kind}", **culprit, remedy="Name the file itself.")
    if status.st_size > MAX_FILE_BYTES:
        raise CellFileError(
            "file too large",
            where=str(path),
            value=f"{status.st_size:,} bytes",
            limit=f"{MAX_FILE_BYTES:,} bytes",
            remedy="Simplify the meshes or split the file.",
        )


def read_bytes(path: Path) -> bytes:
    """The content of a file of bounded size.

    Raises:
        CellFileError: the file is missing, unreadable or too large.
    """
    check_file(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise CellFileError(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file of bounded size."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise CellFileError(
            f"not UTF-8 text at byte {error.start}", where=str(path), remedy="Save it as UTF-8."
        ) from None


def read_toml(path: Path, file_type: type[FileType]) -> FileType:
    """Parse a TOML file into its struct.

    Raises:
        CellFileError: syntax (with line), unknown key, wrong type, missing key, or a number that is not finite.
    """
    text = read_text(path)
    try:
        table = tomllib.loads(text)
        _refuse_odd_numbers(table, path)
    except tomllib.TOMLDecodeError as error:
        remedy = "See the examples in docs/cells.md."
        raise CellFileError(f"not valid TOML: {error}", where=str(path), remedy=remedy) from None
    except ValueError:
        raise CellFileError("a number with too many digits", where=str(path), remedy="Write it shorter.") from None
    except RecursionError:
        raise CellFileError("nested too deeply", where=str(path), remedy="Use the tables of docs/cells.md.") from None
    try:
        return msgspec.convert(table, file_type)
    except msgspec.ValidationError as error:
        raise explain(error, table, file_type, str(path)) from None


def _refuse_odd_numbers(table: dict[str, Any], path: Path) -> None:
    for key, number in _walk_numbers(table, ""):
        if not math.isfinite(number):
            raise CellFileError(
                "a finite number is needed", where=f"{path}, {key}", value=number, remedy="Write the number out."
            )


def _walk_numbers(value: Any, key: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield key, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _walk_numbers(item, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk_numbers(item, f"{key}[{index}]")


def resolve(path: str, folder: Path, where: str) -> Path:
    """The file a path names, links followed.

    Args:
        path: as written in the file.
        folder: what it is relative to.
        where: file and key for the error.
    """
    try:
        return (folder / path).resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, a zero byte
        raise CellFileError("not a usable file name", where=where, value=path) from None


def resolve_inside(path: str, folder: Path, root: Path, where: str) -> Path:
    """The file a relative path names, refused when it leaves the root folder (links included).

    Args:
        path: as written in the file.
        folder: what it is relative to.
        root: the cell's folder tree.
        where: file and key for the error.
    """
    if "://" in path:
        raise CellFileError(
            "an address instead of a file",
            where=where,
            value=path,
            remedy="`telecell new FILE` copies a robot and its meshes into a cell folder.",
        )
    resolved = resolve(path, folder, where)
    if not resolved.is_relative_to(root.resolve()):
        raise CellFileError(
            "file outside the cell's folder",
            where=where,
            value=path,
            limit=str(root),
            remedy="Copy it beside the cell file.",
        )
    return resolved
