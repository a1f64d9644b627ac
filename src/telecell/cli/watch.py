"""`telecell watch`: a running cell, live."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from telecell.cli.output import get_unit_suffix
from telecell.cli.running import CellOption, ConnectOption, SiteOption, list_axes, open_running
from telecell.cli.status import build_state_document
from telecell.cli.views import JsonLines, Lines, LiveTable, Look, View
from telecell.cli.written import write_joint_values
from telecell.errors import CellUnreachable

if TYPE_CHECKING:
    from telecell.client import CellClient
    from telecell.messages.replies import AxisEntry

EXAMPLES = ("telecell watch", "telecell watch --lines --seconds 10", "telecell watch --events --json")

LOOK_EVERY_S = 0.1


def run(
    lines: Annotated[
        bool, typer.Option("--lines", help="A line per robot and second instead of a live table, as in a pipe.")
    ] = False,
    events: Annotated[bool, typer.Option("--events", help="Only events, a line each.")] = False,
    seconds: Annotated[float, typer.Option(help="How long to watch; until Ctrl-C by default.")] = math.inf,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document (SI units) per line.")] = False,
) -> None:
    """Watch a running cell: modes, holders, joints, the link, and events as they come.

    Goes on when the cell is silent or restarted, and says so.
    """
    with (
        open_running(cell, site, connect) as running,
        _choose_view(lines=lines, events=events, as_json=as_json) as view,
    ):
        running.on_event(view.note)
        _watch(running, view, seconds)


def _choose_view(*, lines: bool, events: bool, as_json: bool) -> View:
    if as_json:
        return JsonLines(only_events=events)
    if lines or events or not sys.stdout.isatty():
        return Lines(only_events=events)
    return LiveTable()


def _watch(running: CellClient, view: View, seconds: float) -> None:
    from telecell.clock import SystemClock

    axes = {robot: list_axes(running, robot) for robot in running.manipulators}
    clock = SystemClock()
    end_s = clock.now() + seconds
    epoch, reachable = running.state().epoch, True
    while clock.now() < end_s:
        try:
            running.run(LOOK_EVERY_S)
        except CellUnreachable as error:
            if reachable:
                view.say(str(error))
            reachable = False
            continue
        if running.state().epoch != epoch:
            view.say("the cell was restarted")
        elif not reachable:
            view.say("the cell is back")
        epoch, reachable = running.state().epoch, True
        view.show(_look(running, axes))


def _look(running: CellClient, axes: dict[str, list[AxisEntry]]) -> Look:
    document = build_state_document(running)
    measured = {axis.name: axis.q_measured for axis in running.state().axes}
    joints = {}
    for robot in document["robots"]:
        own = axes[robot["name"]]
        values = [measured[axis.name] for axis in own]
        robot[f"joints_{get_unit_suffix(own)}"] = values
        joints[robot["name"]] = write_joint_values(own, values)
    return Look(document, joints)
