"""XML as text plus the places of its elements: checked and edited in place, so that lines and comments stay.

Document types and entities are refused: they are ways to grow or to reach out, and robot files need neither.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from telecell.errors import CellFileError
from telecell.models.files import read_text

MAX_DEPTH = 300
_HEAD = re.compile(rb"""<(?:[^>"']+|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = re.compile(rb"""\s([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*')""")
_MAYBE_NOT_FINITE = re.compile(r"nan|inf|e\+?\d{3}", re.IGNORECASE)

Edit = tuple[int, int, bytes]
"""Bytes from, to, and what stands there instead."""


@dataclass(slots=True, eq=False)
class Element:
    """An element with its place in the text: `[start, end)`, its inside `[inner_start, inner_end)`."""

    tag: str
    attributes: dict[str, str]
    line: int
    start: int
    inner_start: int
    parent: Element | None
    inner_end: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def find_all(self, tag: str) -> list[Element]:
        """The children of that tag."""
        return [child for child in self.children if child.tag == tag]

    def find(self, *path: str) -> Element | None:
        """The first child of that tag, its first child of the next tag, and so on."""
        element: Element | None = self
        for tag in path:
            element = next(iter(element.find_all(tag)), None) if element else None
        return element

    def ancestors(self) -> Iterator[Element]:
        """The elements around this one, from the inside out."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent


@dataclass(frozen=True, slots=True, eq=False)
class Markup:
    """An XML file. `elements` are in the order of the text, the outermost first."""

    path: Path
    content: bytes
    elements: list[Element]

    @property
    def root(self) -> Element:
        """The outermost element."""
        return self.elements[0]

    def where(self, element: Element, attribute: str | None = None) -> str:
        """File, line and element, for an error."""
        return f"{self.path}, line {element.line}, <{element.tag}{' ' + attribute if attribute else ''}>"

    def replace_attribute(self, element: Element, name: str, value: str) -> Edit:
        """Another value for an attribute that the element has."""
        for match in _ATTRIBUTE.finditer(self.content, element.start, element.inner_start):
            if match[1].decode() == name:
                return match.start(2), match.end(2), quoteattr(value).encode("ascii", "xmlcharrefreplace")
        raise KeyError(name)

    def blank(self, element: Element) -> Edit:
        """Nothing in place of an element, except its line breaks."""
        return element.start, element.end, b"\n" * self.content.count(b"\n", element.start, element.end)

    def edit(self, edits: list[Edit], start: int = 0, end: int | None = None) -> bytes:
        """The text from start to end with edits, none inside another."""
        pieces, position = [], start
        for edit_start, edit_end, replacement in sorted(edits):
            pieces += [self.content[position:edit_start], replacement]
            position = edit_end
        return b"".join([*pieces, self.content[position:end]])


def read_markup(path: Path) -> Markup:
    """Parse an XML file.

    Raises:
        CellFileError: it is not well-formed, too deep, declares entities, or has a number that is not finite.
    """
    markup = _Reader(path).read()
    _refuse_odd_numbers(markup)
    return markup


class _Reader:
    def __init__(self, path: Path):
        self._path = path
        self._content = read_text(path).encode()
        self._elements: list[Element] = []
        self._open: list[Element] = []
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.EntityDeclHandler = self._refuse_declaration

    def read(self) -> Markup:
        try:
            self._parser.Parse(self._content, True)
        except expat.ExpatError as error:
            remedy = "Is it an MJCF or URDF file?"
            raise CellFileError(f"not valid XML: {error}", where=str(self._path), remedy=remedy) from None
        return Markup(self._path, self._content, self._elements)

    def _here(self) -> str:
        return f"{self._path}, line {self._parser.CurrentLineNumber}"

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise CellFileError("nested too deeply", where=self._here(), limit=f"{MAX_DEPTH} elements")
        start = self._parser.CurrentByteIndex
        head = _HEAD.match(self._content, start)
        assert head is not None, "expat accepts only complete tags"
        parent = self._open[-1] if self._open else None
        element = Element(tag, attributes, self._parser.CurrentLineNumber, start, head.end(), parent)
        if parent is not None:
            parent.children.append(element)
        self._elements.append(element)
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        element = self._open.pop()
        element.inner_end = max(self._parser.CurrentByteIndex, element.inner_start)
        closes_itself = self._content[element.inner_start - 2 : element.inner_start] == b"/>"
        element.end = element.inner_start if closes_itself else self._content.index(b">", element.inner_end) + 1

    def _refuse_declaration(self, *_: object) -> None:
        raise CellFileError(
            "document type and entity declarations are not accepted",
            where=self._here(),
            remedy="Remove the <!DOCTYPE ...> part and write the values out.",
        )


def _refuse_odd_numbers(markup: Markup) -> None:
    for element in markup.elements:
        for name, value in element.attributes.items():
            if name != "name" and _MAYBE_NOT_FINITE.search(value) and _has_odd_number(value):
                raise CellFileError(
                    "a finite number is needed",
                    where=markup.where(element, name),
                    value=value,
                    remedy="Write the number out.",
                )


def _has_odd_number(value: str) -> bool:
    try:
        return any(not math.isfinite(float(word)) for word in value.split())
    except ValueError:
        return False
