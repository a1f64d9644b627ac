"""What is wrong with a table that does not fit its struct: key, value and choices, from msgspec's terse verdict."""

from __future__ import annotations

import difflib
import json
import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from telecell.errors import CellFileError

_LONGEST_VALUE = 80
_KINDS = {
    "float": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "a table",
}
_ANY_KEY = "..."
"""How msgspec writes a step into a table whose keys are free."""


def explain(error: msgspec.ValidationError, table: Any, file_type: type, where: str) -> CellFileError:
    """The first mistake of a table with its file, key, value and remedy."""
    text, _, path = str(error).partition(" - at ")
    in_key = path.startswith("`key` in ")
    steps = re.findall(r"[^.\[\]]+|\.\.\.", path.removeprefix("`key` in ").strip("`").removeprefix("$"))
    keys, value, kind = _follow(table, file_type, steps)
    place = "".join(key if key.startswith("[") else f".{key}" for key in keys).removeprefix(".")
    where = f"{where}, {place}" if place else where
    if unknown := re.match(r"Object contains unknown field `(.*)`", text):
        return _explain_unknown(unknown[1], kind, where, bool(place))
    if missing := re.match(r"Object missing required field `(.*)`", text):
        return CellFileError(f"the key {missing[1]!r} is missing", where=where, remedy="See docs/cells.md.")
    if in_key:
        value = next((name for name in value if not _is_name(name)), None)
    shown = value if value is not None and len(repr(value)) <= _LONGEST_VALUE else None
    choices = [json.dumps(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []
    return CellFileError(_reword(text), where=where, value=shown, choices=choices, remedy="See docs/cells.md.")


def _explain_unknown(key: str, kind: Any, where: str, nested: bool) -> CellFileError:
    known = tuple(kind.__struct_fields__) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else ()
    near = difflib.get_close_matches(key, known, n=1)
    return CellFileError(
        "unknown key",
        where=f"{where}{'.' if nested else ', '}{key}",
        choices=known,
        remedy=f"Did you mean {near[0]!r}?" if near else "See docs/cells.md.",
    )


def _reword(text: str) -> str:
    if "matching regex '^[A-Za-z0-9_]" in text:
        return "a name of letters, digits, '_', '-' and '.' is needed"
    if "matching regex '^#" in text:
        return "a colour '#rrggbb' or '#rrggbbaa' is needed"
    if "enum value" in text:
        return "not one of the choices"
    if expected := re.match(r"Expected `(\w+)(?: \| null)?`( of length \d+)?, got", text):
        return f"{_KINDS.get(expected[1], expected[1])}{expected[2] or ''} is needed"
    return text[0].lower() + text[1:].replace("`", "'")


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*", text) is not None


def _follow(table: Any, file_type: Any, steps: list[str]) -> tuple[list[str], Any, Any]:
    """Walk to the mistake: the keys on the way, the value there, and the type it should have."""
    keys: list[str] = []
    value, kind = table, _plain_type(file_type)
    for step in steps:
        if isinstance(value, list):
            keys.append(f"[{step}]")
            value, kind = value[int(step)], _item_type(kind, int(step))
        elif step == _ANY_KEY:
            name = _find_misfit(value, get_args(kind)[1])
            keys.append(name)
            value, kind = value[name], _plain_type(get_args(kind)[1])
        else:
            keys.append(step)
            value, kind = value[step], _plain_type(get_type_hints(kind, include_extras=True)[step])
    return keys, value, kind


def _find_misfit(table: dict[str, Any], kind: Any) -> str:
    """Which of a table's entries does not fit."""
    for name, item in table.items():
        try:
            msgspec.convert(item, kind)
        except msgspec.ValidationError:
            return name
    return next(iter(table))


def _plain_type(kind: Any) -> Any:
    """Without Annotated and without None."""
    if get_origin(kind) is Annotated:
        return _plain_type(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return _plain_type(next(option for option in get_args(kind) if option is not type(None)))
    return kind


def _item_type(kind: Any, index: int) -> Any:
    arguments = get_args(kind)
    return _plain_type(arguments[0] if arguments[-1] is Ellipsis else arguments[index])
