"""All keys of the bus: `telecell/<site>/<cell>/...`, who uses them, and what they carry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from telecell.errors import InputError, UnknownName

ROOT = "telecell"
DEFAULT_SITE = "local"
PARTS = ("server", "worker", "station", "client")
"""The kinds of processes that show their presence."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_IDENTITY = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


class Kind(StrEnum):
    """How a key is used."""

    PUBLICATION = "publication"
    QUERY = "query"
    LIVELINESS = "liveliness"


class KeyRow(NamedTuple):
    """One row of the table of keys.

    Attributes:
        name: the name of the property or method of `Keys`.
        pattern: the key, with what varies in angle brackets.
        kinds: how it is used.
        sender: who publishes, answers or is present.
        payload: what is carried, in words.
    """

    name: str
    pattern: str
    kinds: tuple[Kind, ...]
    sender: str
    payload: str


_CELL = f"{ROOT}/<site>/<cell>"

KEYS = (
    KeyRow(
        "state",
        f"{_CELL}/state",
        (Kind.PUBLICATION, Kind.QUERY),
        "cell server",
        "`CellState`, every control period; asked for, the newest one",
    ),
    KeyRow(
        "events",
        f"{_CELL}/events",
        (Kind.PUBLICATION,),
        "cell server",
        "array of events; what was missed is asked for with a `subscribe` request",
    ),
    KeyRow(
        "setup",
        f"{_CELL}/setup",
        (Kind.PUBLICATION, Kind.QUERY),
        "cell server",
        "`CellSetup`, whenever it has changed; asked for, the newest one",
    ),
    KeyRow(
        "request",
        f"{_CELL}/request",
        (Kind.QUERY,),
        "cell server",
        "any request; its one reply, after the tick that took it",
    ),
    KeyRow(
        "stop",
        f"{_CELL}/stop",
        (Kind.QUERY,),
        "cell server",
        "a `stop` request and its reply: a way of its own, which nothing else can fill up",
    ),
    KeyRow(
        "stream",
        f"{_CELL}/stream",
        (Kind.PUBLICATION,),
        "clients",
        "one set-point or renewal; its reply comes on `replies`",
    ),
    KeyRow(
        "replies",
        f"{_CELL}/replies/<sender>",
        (Kind.PUBLICATION,),
        "cell server",
        "array of replies to what the sender has sent by `stream`",
    ),
    KeyRow(
        "ask",
        f"{_CELL}/ask",
        (Kind.QUERY,),
        "worker",
        "a request that needs no tick (describe, where, solve, read signals); its one reply",
    ),
    KeyRow(
        "model",
        f"{_CELL}/model/<hash>",
        (Kind.QUERY,),
        "worker",
        "nothing; for `index` what the archive of the cell's model is, for `<hash>.<number>` one part of it",
    ),
    KeyRow(
        "alive",
        f"{_CELL}/alive/<part>/<identity>",
        (Kind.LIVELINESS,),
        "every process",
        f"nothing; `<part>` is {', '.join(PARTS[:-1])} or {PARTS[-1]}",
    ),
)
"""The table that the page about the bus is drawn from."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one cell.

    Raises:
        InputError: site or cell cannot be part of a key.
    """

    site: str
    cell: str

    def __post_init__(self):
        validate_name("site", self.site)
        validate_name("cell", self.cell)

    @property
    def state(self) -> str:
        """What the cell is doing."""
        return self._key("state")

    @property
    def events(self) -> str:
        """What has happened in the cell."""
        return self._key("events")

    @property
    def setup(self) -> str:
        """What rarely changes in the cell."""
        return self._key("setup")

    @property
    def request(self) -> str:
        """Where to ask the cell for anything."""
        return self._key("request")

    @property
    def stop(self) -> str:
        """Where to stop the cell."""
        return self._key("stop")

    @property
    def stream(self) -> str:
        """Where set-points and renewals go."""
        return self._key("stream")

    @property
    def ask(self) -> str:
        """Where to ask for what needs no tick."""
        return self._key("ask")

    def replies(self, sender: str) -> str:
        """Where a sender finds the replies to what it has sent by `stream`."""
        return self._key("replies", _validate_identity("a sender", sender))

    def model(self, hash: str) -> str:
        """Where to fetch the model of that hash."""
        return self._key("model", _validate_identity("a hash", hash))

    def alive(self, part: str, identity: str) -> str:
        """Where a process shows that it is there."""
        return self._key("alive", _validate_part(part), _validate_identity("an identity", identity))

    def _key(self, *rest: str) -> str:
        return "/".join((ROOT, self.site, self.cell, *rest))


class Presence(NamedTuple):
    """Who is there."""

    site: str
    cell: str
    part: str
    identity: str


def alive_pattern(part: str = "*", *, site: str = "*", cell: str = "*") -> str:
    """The key to watch for processes of one part, or of all; at one site or cell, or at all."""
    return f"{ROOT}/{site}/{cell}/alive/{part}/*"


def parse_alive(key: str) -> Presence:
    """Who shows presence under a key.

    Raises:
        InputError: not a key that a process could show its presence under.
    """
    chunks = key.split("/")
    if len(chunks) != 6 or chunks[0] != ROOT or chunks[3] != "alive":
        raise InputError("not a key of presence", value=key[:200], limit=f"{_CELL}/alive/<part>/<identity>")
    _, site, cell, _, part, identity = chunks
    validate_name("site", site)
    validate_name("cell", cell)
    return Presence(site, cell, _validate_part(part), _validate_identity("an identity", identity))


def is_urgent(key: str) -> bool:
    """Whether what goes by a key comes before everything else on its way: a stop does."""
    return key.endswith("/stop")


def matches(pattern: str, key: str) -> bool:
    """Whether a key is one of those that a pattern stands for; `*` is any one part between slashes."""
    wanted, given = pattern.split("/"), key.split("/")
    return len(wanted) == len(given) and all(w in ("*", g) for w, g in zip(wanted, given, strict=True))


def validate_name(what: str, name: str) -> str:
    """The name of a site or cell, if it can be part of a key.

    Raises:
        InputError: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"not a name for a {what} on the bus", value=name[:200], limit="1 to 64 letters, digits, _, - and ."
        )
    return name


def _validate_identity(what: str, identity: str) -> str:
    if not _IDENTITY.fullmatch(identity):
        raise InputError(f"not {what}", value=identity[:200], limit="1 to 80 letters, digits, _, -, . and :")
    return identity


def _validate_part(part: str) -> str:
    if part not in PARTS:
        raise UnknownName("part", part[:200], PARTS)
    return part
