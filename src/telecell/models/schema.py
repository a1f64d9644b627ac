"""JSON schemas of the files and messages, and the tables of docs/cells.md and docs/messages.md, from the structs.

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

from telecell.messages import AnyEvent, AnyReply, AnyRequest, CellSetup, CellState, Command
from telecell.messages.granting import Acquire
from telecell.models import description
from telecell.models.description import CellFile, ModelFile

SCHEMAS: dict[str, Any] = {
    "cell": CellFile,
    "model": ModelFile,
    "requests": AnyRequest,
    "replies": AnyReply,
    "events": AnyEvent,
    "state": CellState,
    "setup": CellSetup,
}

PAGES = ("cells.md", "messages.md")

_MESSAGES = re.compile(r"(<!-- messages: (\w+) -->\n).*?(<!-- end of messages -->)", re.DOTALL)
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
    structs = {struct.__name__: struct for struct in _find_structs(SCHEMAS[name])}
    for title, definition in schema["$defs"].items():
        struct = structs[title]
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


def build_message_table(name: str) -> str:
    """A table of all requests, replies or events: its own keys and what it means; a star needs the grant."""
    lines = ["| name | keys | meaning |", "|---|---|---|"]
    kinds = get_args(SCHEMAS[name])
    shared = set.intersection(*(set(kind.__struct_fields__) for kind in kinds))
    for kind in kinds:
        star = " \\*" if issubclass(kind, Command) and kind is not Acquire else ""
        keys = ", ".join(f"`{key}`" for key in kind.__struct_fields__ if key not in shared)
        lines.append(f"| `{kind.__struct_config__.tag}`{star} | {keys} | {read_summary(kind)} |")
    return "\n".join(lines) + "\n"


def fill_in_tables(page: str) -> str:
    """The page with the tables between its `<!-- keys: ... -->` and `<!-- messages: ... -->` marks up to date."""
    page = _TABLE.sub(lambda found: found[1] + build_key_table(getattr(description, found[2])) + found[3], page)
    return _MESSAGES.sub(lambda found: found[1] + build_message_table(found[2]) + found[3], page)


def read_summary(struct: type) -> str:
    """The first paragraph of a struct's docstring."""
    return " ".join((inspect.getdoc(struct) or "").partition("\n\n")[0].split())


def read_meanings(struct: type) -> dict[str, str]:
    """What the docstrings of a struct and of its bases say about each attribute."""
    meanings: dict[str, str] = {}
    for kind in reversed(struct.__mro__):
        section = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2]
        for name, text in re.findall(r"^    (\w+): (.*(?:\n {8,}.*)*)", section, re.MULTILINE):
            meanings[name] = " ".join(text.split())
    return meanings


def _find_structs(hint: Any) -> set[type[msgspec.Struct]]:
    """Every struct that a type leads to."""
    found: set[type[msgspec.Struct]] = set()
    waiting = [hint]
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            if hint not in found:
                found.add(hint)
                waiting.extend(get_type_hints(hint).values())
        else:
            waiting.extend(get_args(hint))
    return found


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
    for name in PAGES:
        page = folder / name
        page.write_text(fill_in_tables(page.read_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
