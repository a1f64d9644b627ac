"""The way from a command to a running cell: which one is meant, and who asks."""

from __future__ import annotations

import getpass
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from telecell.bus.keys import Presence
    from telecell.client import CellClient
    from telecell.client.connecting import Place
    from telecell.messages.replies import AxisEntry

PRESENCE_S = 0.3
"""Those who are there have been told by then; nothing says when all have been."""

CellOption = Annotated[
    str | None, typer.Option("--cell", metavar="NAME", help="Which running cell; the only one by default.")
]
SiteOption = Annotated[
    str | None, typer.Option("--site", metavar="NAME", help="The site of the cell; local on this machine by default.")
]
ConnectOption = Annotated[
    str | None,
    typer.Option("--connect", metavar="tcp/HOST:PORT", help="Where the cell is; on this machine by default."),
]
NameOption = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="Under which name; your user name by default.")
]
WaitOption = Annotated[float, typer.Option("--wait", metavar="SECONDS", min=0.0, help="How long to queue for control.")]


def open_running(cell: str | None, site: str | None, endpoint: str | None) -> CellClient:
    """A client of the running cell that a person means."""
    from telecell.client.connecting import connect

    return connect(endpoint, cell=cell, site=site)


def get_user_name() -> str:
    """Who sits at the terminal, for the record."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in containers
        return "somebody"


def list_axes(running: CellClient, robot: str) -> list[AxisEntry]:
    """The axes of a robot, in its own order.

    Raises:
        UnknownName: no such robot.
    """
    known = {axis.name: axis for axis in running.describe().axes}
    return [known[name] for name in running.manipulator(robot).axes]


def list_present(place: Place) -> list[Presence]:
    """Which processes of a running cell are there."""
    from telecell.bus.keys import alive_pattern, parse_alive
    from telecell.bus.zenoh_bus import ZenohBus
    from telecell.clock import SystemClock

    present: set[Presence] = set()
    bus, clock = ZenohBus(place.endpoint), SystemClock()
    with closing(bus):
        bus.start()
        pattern = alive_pattern(site=place.keys.site, cell=place.keys.cell)
        bus.watch(pattern, lambda key, there: present.add(parse_alive(key)) if there else None)
        clock.sleep_until(clock.now() + PRESENCE_S)
    return sorted(present)
