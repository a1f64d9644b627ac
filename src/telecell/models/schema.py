"""JSON schemas of the files and messages, and the key tables of docs/cells.md, written from the structs.

`python -m telecell.models.schema docs` brings the folder `docs` up to date.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

import telecell.messages
from telecell.messages import AnyRequest, CellState
from telecell.models import description
from telecell.models.description import CellFile, ModelFile

SCHEMAS: dict[str, Any] = {"cell": CellFile, "model": ModelFile, "state": CellState, "requests": AnyRequest}

_TABLE = re.compile(r"(<!-- keys: (\w+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)
_ALIASES = {
    description.Name: "name",
    description.ElementName: "text",
    description.Path: "path",
    description.Colour: "colour",
    description.Pair: "2 numbers",
    description.Triple: "3 numbers",
    str: "text",
    float: "number",
    bool: "`true` or `false`",
}


def build_schema(name: str) -> str:
    """The text of `<name>.schema.json`: each key with what it means."""
    schema = msgspec.json.schema(SCHEMAS[name])
    for title, definition in schema["$defs"].items():
        struct = _find_struct(title)
        definition["description"] = read_summary(struct)
        for key, meaning in read_meanings(struct).items():
            # Beside "$ref", as the 2020-12 draft allows, the words are those of the key, not of its type.
            definition["properties"][key]["description"] = meaning
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


def build_key_table(struct: type[msgspec.Struct]) -> str:
    """A table of a struct's keys: type, default and meaning."""
    lines = ["| key | type | default | meaning |", "|---|---|---|---|"]
    meanings = read_meanings(struct)
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        kind = _word_type(hints[field.name]).replace("|", "\\|")
        lines.append(f"| `{field.name}` | {kind} | {_word_default(field)} | {meanings.get(field.name, '')} |")
    return "\n".join(lines) + "\n"


def fill_in_tables(page: str) -> str:
    """The page with the tables between its `<!-- keys: Struct -->` marks brought up to date."""
    return _TABLE.sub(lambda found: found[1] + build_key_table(getattr(description, found[2])) + found[3], page)


def read_summary(struct: type) -> str:
    """The first paragraph of a struct's docstring."""
    return " ".join((inspect.getdoc(struct) or "").partition("\n\n")[0].split())


def read_meanings(struct: type) -> dict[str, str]:
    """What the struct's docstring says about each attribute."""
    section = (inspect.getdoc(struct) or "").partition("Attributes:\n")[2]
    entries = re.findall(r"^    (\w+): (.*(?:\n {8,}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}


def _find_struct(title: str) -> type:
    return getattr(description, title, None) or getattr(telecell.messages, title)


def _word_type(hint: Any) -> str:
    """A type in the words of somebody who writes TOML."""
    if hint in _ALIASES:
        return _ALIASES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(f"`{json.dumps(choice)}`" for choice in arguments)
    if origin is dict:
        return f"table of {_plural(_word_type(arguments[1]))}"
    if origin is tuple:
        count = "list of" if arguments[-1] is Ellipsis else len(arguments)
        return f"{count} {_plural(_word_type(arguments[0]))}"
    if type(None) in arguments:
        return _word_type(next(choice for choice in arguments if choice is not type(None)))
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", hint.__name__.removesuffix("Entry")).lower()
    return f"[{name}](#{name.replace(' ', '-')})"


def _plural(words: str) -> str:
    return words if words.startswith(("[", "2", "3")) or words == "text" else f"{words}s"


def _word_default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "needed"
    if field.default in (None, msgspec.NODEFAULT, (), ""):
        return ""
    return f"`{json.dumps(msgspec.to_builtins(field.default))}`"


def main(folder: Path) -> None:
    """Write the schemas and tables into the documentation."""
    (folder / "schema").mkdir(exist_ok=True)
    for name in SCHEMAS:
        (folder / "schema" / f"{name}.schema.json").write_text(build_schema(name))
    page = folder / "cells.md"
    page.write_text(fill_in_tables(page.read_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
