"""Find a cell that runs in another process, here or elsewhere."""

from __future__ import annotations

import contextlib
import threading
from typing import NamedTuple

from telecell.bus.endpoints import UNIX, list_local, local_endpoint, parse_endpoint
from telecell.bus.interface import Bus
from telecell.bus.keys import DEFAULT_SITE, Keys, alive_pattern, parse_alive
from telecell.bus.zenoh_bus import ZenohBus
from telecell.client.cell_client import CellClient
from telecell.client.over_bus import BusTransport
from telecell.errors import CellUnreachable, InputError

LOOK_S = 2.0
"""How long a cell is looked for at an endpoint."""

SETTLE_S = 0.1
"""How long to go on looking after the first was found: another one would make the choice unclear."""


class Place(NamedTuple):
    """Where a cell runs: the endpoint of its router, and its keys on the bus."""

    endpoint: str
    keys: Keys


def connect(endpoint: str | None = None, *, cell: str | None = None, site: str | None = None) -> CellClient:
    """Connect to a cell that somebody has started, with `telecell up` or `telecell cell`.

    The cell goes on while the program does other things. Its client has the same face as that of `open_cell`, without
    snapshots.

    Args:
        endpoint: where its router listens, such as `"tcp/192.168.1.7:7447"`; on this machine if left out.
        cell: name of the cell; may be left out where there is only one.
        site: of the cell; `"local"` on this machine, whichever it is at an endpoint, if left out.

    Raises:
        CellUnreachable: no cell is there.
        InputError: several are there, or this is no endpoint.
    """
    return open_place(find_place(endpoint, cell=cell, site=site))


def find_place(endpoint: str | None = None, *, cell: str | None = None, site: str | None = None) -> Place:
    """Where the cell is that somebody means; see `connect`."""
    if endpoint is None:
        keys = find_local(cell, site or DEFAULT_SITE)
        return Place(local_endpoint(keys.site, keys.cell), keys)
    if not endpoint.startswith(UNIX):
        parse_endpoint(endpoint)
    return Place(endpoint, find_present(ZenohBus(endpoint), cell, site, endpoint))


def open_place(place: Place) -> CellClient:
    """A client of the cell there."""
    return CellClient.connect(BusTransport(ZenohBus(place.endpoint), place.keys))


def find_local(cell: str | None, site: str) -> Keys:
    """The cell that runs on this machine.

    Raises:
        CellUnreachable: none does.
        InputError: several do.
    """
    running = list_local(site)
    names = [name for name in running if cell in (None, name)]
    if not names:
        raise CellUnreachable(
            "no cell runs on this machine" if cell is None else "the cell does not run on this machine",
            where=f"site {site}",
            value=cell,
            choices=running,
            remedy=f"Start it: telecell up {cell}" if cell else "Start one: telecell up",
        )
    return Keys(site, _choose(names, f"site {site}"))


def find_present(bus: Bus, cell: str | None, site: str | None, endpoint: str) -> Keys:
    """The cell that is present behind an endpoint.

    Args:
        bus: not started; it is closed again.
        cell: wanted; any if None.
        site: wanted; any if None.
        endpoint: for messages.

    Raises:
        CellUnreachable: none is.
        InputError: several are.
    """
    found: dict[str, Keys] = {}
    has_found = threading.Event()

    def note(key: str, present: bool) -> None:
        if present:
            presence = parse_alive(key)
            found[f"{presence.site}/{presence.cell}"] = Keys(presence.site, presence.cell)
            has_found.set()

    with contextlib.closing(bus):
        bus.start()
        bus.watch(alive_pattern("server", site=site or "*", cell=cell or "*"), note)
        if has_found.wait(LOOK_S):
            threading.Event().wait(SETTLE_S)
    if not found:
        raise CellUnreachable(
            "no cell is there" if cell is None else "the cell is not there",
            where=endpoint,
            value=cell,
            remedy="Look whether it runs, and whether this is the endpoint of its router.",
        )
    return found[_choose(list(found), endpoint)]


def _choose(names: list[str], where: str) -> str:
    if len(names) > 1:
        raise InputError(
            "several cells are there",
            where=where,
            value=len(names),
            choices=sorted(names),
            remedy="Say which: cell=...",
        )
    return names[0]
