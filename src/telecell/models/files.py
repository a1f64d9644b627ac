"""Reading what a person wrote, with bounds: size, folder, XML tricks, and one clear error per mistake."""

from __future__ import annotations

import math
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar
from xml.parsers import expat

import msgspec

from telecell.errors import CellFileError

MAX_FILE_BYTES = 10_000_000
FileType = TypeVar("FileType", bound=msgspec.Struct)


def read_bytes(path: Path) -> bytes:
    """The content of a file of bounded size.

    Raises:
        CellFileError: the file is missing, unreadable or too large.
    """
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise CellFileError(
                "file too large",
                where=str(path),
                value=f"{size:,} bytes",
                limit=f"{MAX_FILE_BYTES:,} bytes",
                remedy="Simplify the meshes or split the file.",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise CellFileError("file not found", where=str(path)) from None
    except OSError as error:
        raise CellFileError(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file of bounded size."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise CellFileError(f"not UTF-8 text at byte {error.start}", where=str(path)) from None


def read_toml(path: Path, file_type: type[FileType]) -> FileType:
    """Parse a TOML file into its struct.

    Raises:
        CellFileError: syntax (with line), unknown key, wrong type, missing key, or a number that is not finite.
    """
    try:
        table = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise CellFileError(f"not valid TOML: {error}", where=str(path)) from None
    except RecursionError:
        raise CellFileError("nested too deeply", where=str(path)) from None
    for key, number in _walk_numbers(table, ""):
        if not math.isfinite(number):
            raise CellFileError("a finite number is needed", where=f"{path}, {key}", value=number)
    return convert(table, file_type, str(path))


def convert(table: dict[str, Any], file_type: type[FileType], where: str) -> FileType:
    """Turn a parsed table into its struct, naming the key of the first mistake."""
    try:
        return msgspec.convert(table, file_type)
    except msgspec.ValidationError as error:
        raise _explain(error, table, where) from None


def _walk_numbers(value: Any, key: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield key, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _walk_numbers(item, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk_numbers(item, f"{key}[{index}]")


def _explain(error: msgspec.ValidationError, table: dict[str, Any], where: str) -> CellFileError:
    """Say what msgspec found with the file, the key, its value and a remedy."""
    text, _, path = str(error).partition(" - at ")
    key = path.strip("`").removeprefix("$").removeprefix(".")
    unknown = re.match(r"Object contains unknown field `(.*)`", text)
    if unknown:
        full_key = f"{key}.{unknown[1]}" if key else unknown[1]
        return CellFileError(
            "unknown key",
            where=f"{where}, {full_key}",
            remedy="See docs/cells.md for the keys of this table.",
        )
    missing = re.match(r"Object missing required field `(.*)`", text)
    if missing:
        return CellFileError(f"the key {missing[1]!r} is missing", where=f"{where}, {key}" if key else where)
    return CellFileError(
        text[0].lower() + text[1:], where=f"{where}, {key}" if key else where, value=_look_up(table, key)
    )


def _look_up(table: Any, key: str) -> Any:
    """The value at a msgspec path such as `mounts[2].axes[...].title`; None where the path is not literal."""
    for step in re.findall(r"[^.\[\]]+", key):
        try:
            table = table[int(step)] if isinstance(table, list) else table[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return table


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
    resolved = (folder / path).resolve()
    if not resolved.is_relative_to(root.resolve()):
        raise CellFileError(
            "file outside the cell's folder",
            where=where,
            value=path,
            limit=str(root),
            remedy="Copy it beside the cell file.",
        )
    return resolved


def parse_xml(path: Path) -> ET.Element:
    """Parse an XML file without document type, entities or other ways to grow or to reach out.

    Raises:
        CellFileError: with the line of the mistake.
    """
    content = read_bytes(path)
    _refuse_declarations(content, path)
    try:
        return ET.fromstring(content)
    except ET.ParseError as error:
        raise CellFileError(f"not valid XML: {error}", where=str(path)) from None
    except (ValueError, LookupError, RecursionError) as error:
        raise CellFileError(f"not readable as XML: {error}", where=str(path)) from None


def _refuse_declarations(content: bytes, path: Path) -> None:
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise CellFileError(
            "document type and entity declarations are not accepted",
            where=f"{path}, line {parser.CurrentLineNumber}",
            remedy="Remove the <!DOCTYPE ...> part and write the values out.",
        )

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise CellFileError(f"not valid XML: {error}", where=str(path)) from None
    except (ValueError, LookupError) as error:
        raise CellFileError(f"not readable as XML: {error}", where=str(path)) from None
