"""MJCF as one text: includes written out, every file it names found, what belongs to the cell left out."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from telecell.errors import CellFileError
from telecell.models.files import check_file, read_bytes
from telecell.models.markup import Edit, Element, Markup, read_markup

Find = Callable[[str, Sequence[Path], str], Path]
"""The file that a name means, looked for in folders, in that order; the string is for errors."""
Place = Callable[[Path], str]
"""What to write for a file that was found."""

MAX_INCLUDE_DEPTH = 8
MAX_BODIES = 500
MAX_PICTURE_SIDE = 4096

_FILE_KEYS = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_DIRECTORY_KEYS = {"mesh": "meshdir", "skin": "meshdir", "hfield": "meshdir", "texture": "texturedir"}
_CELL_SECTIONS = ("option", "size", "visual", "statistic", "sensor")
"""The cell decides about these."""
_COMPILER = dict.fromkeys(("meshdir", "texturedir", "assetdir"), ".") | dict.fromkeys(
    ("strippath", "fusestatic", "discardvisual"), "false"
)
"""Files are named in full here, and the bodies that frames are named after must stay."""
_REFUSED = {
    "plugin": "Plugins run code; remove the element.",
    "extension": "Plugins run code; remove the element.",
    "model": "Sub-models are mounts of the cell: give each its own [[mounts]] entry.",
    "flexcomp": "Telecell knows rigid bodies only.",
    "flex": "Telecell knows rigid bodies only.",
    "composite": "Telecell knows rigid bodies only.",
}
_BOUNDS = {
    ("replicate", "count"): 1000,
    ("texture", "width"): MAX_PICTURE_SIDE,
    ("texture", "height"): MAX_PICTURE_SIDE,
    ("hfield", "nrow"): 2048,
    ("hfield", "ncol"): 2048,
    ("mesh", "params"): 500,
    ("general", "actdim"): 100,
}
"""Numbers by which a short file can grow without end."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A file of the model: the main one, or one that another part includes."""

    markup: Markup
    includes: dict[Element, _Part]

    def walk(self, copies: float = 1.0) -> list[_Item]:
        """Every element in the order in which MuJoCo reads them."""
        found: list[_Item] = []
        for element in self.markup.elements[1:]:
            replicas = [_largest(outer.get("count", "1")) for outer in element.ancestors() if outer.tag == "replicate"]
            item = _Item(element, self.markup, math.prod(replicas, start=copies))
            found += self.includes[element].walk(item.copies) if element in self.includes else [item]
        return found


@dataclass(frozen=True, slots=True)
class _Item:
    """An element, the file it stands in, and how often it is replicated."""

    element: Element
    markup: Markup
    copies: float

    @property
    def where(self) -> str:
        return self.markup.where(self.element)


def write_out(main: Markup, find: Find, place: Place, *, trim: bool = False) -> bytes:
    """The model as one text.

    Args:
        main: the model file.
        find: which file a name means; raises when it may not be used.
        place: what to write in its place.
        trim: for MuJoCo's eyes: leave out the sections about which the cell decides, and put each included file on
            one line, so that line numbers in errors are those of the main file.

    Raises:
        CellFileError: what is not accepted, with file, line and element.
    """
    part = _read_part(main, main.path.parent, find, {main.path.resolve()}, depth=0)
    items = part.walk()
    _check_items(items, main.path)
    directories = _read_directories(items)
    edits: dict[Markup, list[Edit]] = {}
    for item in items:
        own = edits.setdefault(item.markup, [])
        if not (trim and any(map(_is_cell_section, item.element.ancestors()))):
            own += _rewrite(item, main.path.parent, directories, find, place)
            if trim and _is_cell_section(item.element):
                own.append(item.markup.blank(item.element))
    return _join(part, edits, trim)


def _read_part(markup: Markup, folder: Path, find: Find, seen: set[Path], depth: int) -> _Part:
    if depth > MAX_INCLUDE_DEPTH:
        raise CellFileError(f"includes nested more than {MAX_INCLUDE_DEPTH} deep", where=str(markup.path))
    includes = {}
    for element in markup.elements:
        if element.tag == "include":
            where = markup.where(element, "file")
            path = find(element.get("file"), (folder, markup.path.parent), where)
            check_file(path, where)
            if path in seen:
                raise CellFileError(
                    "file included twice", where=where, value=element.get("file"), remedy="Include it once."
                )
            seen.add(path)
            includes[element] = _read_part(read_markup(path), folder, find, seen, depth + 1)
    return _Part(markup, includes)


def _check_items(items: list[_Item], path: Path) -> None:
    """Nothing that runs code, and no short file that becomes a large model."""
    most_copies = _BOUNDS["replicate", "count"]
    for item in items:
        tag = item.element.tag
        if tag in _REFUSED:
            raise CellFileError(f"<{tag}> is not accepted", where=item.where, remedy=_REFUSED[tag])
        for name, value in item.element.attributes.items():
            bound = _BOUNDS.get((tag, name))
            if bound is not None and _largest(value) > bound:
                where = item.markup.where(item.element, name)
                raise CellFileError("number too large", where=where, value=value, limit=bound)
        if item.copies > most_copies:
            raise CellFileError("replicated too often", where=item.where, value=round(item.copies), limit=most_copies)
    validate_body_count(round(sum(item.copies for item in items if item.element.tag == "body")), path)


def validate_body_count(count: int, path: Path) -> None:
    """Refuse models of a size that nobody draws by hand."""
    if count > MAX_BODIES:
        raise CellFileError("too many bodies", where=str(path), value=count, limit=MAX_BODIES)


def _largest(value: str) -> float:
    try:
        return max((abs(float(word)) for word in value.split()), default=0.0)
    except ValueError:
        return 0.0  # MuJoCo says what is wrong with it


def _read_directories(items: list[_Item]) -> dict[str, str]:
    """Where meshes and textures lie; the last word counts, as in MuJoCo."""
    found = {"meshdir": "", "texturedir": "", "strippath": "false"}
    for item in items:
        if item.element.tag == "compiler":
            for key in ("meshdir", "texturedir"):
                found[key] = item.element.get(key, item.element.get("assetdir", found[key]))
            found["strippath"] = item.element.get("strippath", found["strippath"])
    return found


def _rewrite(item: _Item, folder: Path, directories: dict[str, str], find: Find, place: Place) -> list[Edit]:
    element, markup = item.element, item.markup
    new = _COMPILER if element.tag == "compiler" else _find_files(item, folder, directories, find, place)
    return [markup.replace_attribute(element, key, value) for key, value in new.items() if key in element.attributes]


def _find_files(item: _Item, folder: Path, directories: dict[str, str], find: Find, place: Place) -> dict[str, str]:
    """What to write for each file that the element names."""
    tag, own_folder = item.element.tag, item.markup.path.parent
    directory = directories.get(_DIRECTORY_KEYS.get(tag, ""), "")
    folders = [folder / directory]
    if own_folder != folder:
        folders += [own_folder / directory, own_folder]
    found = {}
    for key in _FILE_KEYS:
        if name := item.element.get(key):
            name = Path(name).name if directories["strippath"] == "true" else name
            where = item.markup.where(item.element, key)
            path = find(name, folders, where)
            check_file(path, where)
            if tag in ("texture", "hfield"):
                _check_picture(path)
            found[key] = place(path)
    return found


def _check_picture(path: Path) -> None:
    """A small PNG can unpack to gigabytes."""
    header = read_bytes(path)[:24]
    if header.startswith(b"\x89PNG") and len(header) == 24:
        width, height = struct.unpack(">II", header[16:])
        if max(width, height) > MAX_PICTURE_SIDE:
            raise CellFileError(
                "picture too large", where=str(path), value=f"{width} x {height}", limit=MAX_PICTURE_SIDE
            )


def _is_cell_section(element: Element) -> bool:
    return element.tag in _CELL_SECTIONS and element.parent is not None and element.parent.parent is None


def _join(part: _Part, edits: dict[Markup, list[Edit]], trim: bool) -> bytes:
    """The text of a part with its edits, its includes in their places."""
    own = list(edits.get(part.markup, []))
    for element, included in part.includes.items():
        if not (trim and any(map(_is_cell_section, element.ancestors()))):
            own.append((element.start, element.end, _join_inside(included, edits, trim)))
    return part.markup.edit(own)


def _join_inside(part: _Part, edits: dict[Markup, list[Edit]], trim: bool) -> bytes:
    """What stands between the outermost tags of an included file."""
    root = part.markup.root
    text = _join(part, edits, trim)
    inside = text[root.inner_start : len(text) - (len(part.markup.content) - root.inner_end)]
    return inside.replace(b"\n", b" ") if trim else inside
