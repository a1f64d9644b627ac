"""`telecell grants`: who may command a running cell, who waits, and what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from telecell.cli.output import JsonFlag, print_json, print_table, tell
from telecell.cli.running import (
    CellOption,
    ConnectOption,
    NameOption,
    SiteOption,
    get_user_name,
    open_running,
)

if TYPE_CHECKING:
    from telecell.client import CellClient
    from telecell.messages.replies import Described, GrantsListed

EXAMPLES = ("telecell grants", 'telecell grants --take-back --reason "maintenance" puma', "telecell grants --json")

REST_WITHIN_S = 10.0
"""Robots that were stopped stand by then."""


def run(
    robots: Annotated[
        list[str] | None, typer.Argument(metavar="[ROBOT]...", help="What to take back; everything by default.")
    ] = None,
    take_back: Annotated[
        bool, typer.Option("--take-back", help="Take control from whoever has it: the robots are stopped.")
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Why it is taken back, for the record.")] = None,
    name: NameOption = None,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Who may command a running cell, who waits for it, and what has changed.

    With --take-back, control is taken from whoever has it and kept by nobody.
    """
    if take_back != (reason is not None) or (robots and not take_back):
        raise typer.BadParameter("robots and a reason belong to --take-back, and it needs a reason")
    with open_running(cell, site, connect) as running:
        if take_back:
            _take_back(running, name or get_user_name(), robots or [], reason or "")
        listed, described = running.grants(), running.describe()
    if as_json:
        print_json(_build_document(listed))
    else:
        _print_grants(listed, described)


def _take_back(running: CellClient, author: str, robots: Sequence[str], reason: str) -> None:
    """Take control from whoever has it, and give up the place in front of everybody that comes with it."""
    held = {axis for grant in running.state().grants for axis in grant.axes}
    wanted = {axis for robot in robots or running.manipulators for axis in running.manipulator(robot).axes}
    if not held & wanted:
        tell("nobody has control of that: nothing to take back")
        return
    running.take_back(author, *robots, reason=reason)
    with running.control(author, *robots, wait_s=REST_WITHIN_S):
        pass


def _build_document(listed: GrantsListed) -> dict[str, Any]:
    import msgspec

    history = [
        {
            "tick": change.tick,
            "change": change.change,
            "holder": change.holder,
            "axes": change.axes,
            "tenure": change.tenure,
            "reason": change.reason,
        }
        for change in listed.history
    ]
    return {
        "grants": msgspec.to_builtins(listed.grants),
        "waiting": msgspec.to_builtins(listed.waiting),
        "history": history,
    }


def _print_grants(listed: GrantsListed, described: Described) -> None:
    if not listed.grants:
        print("Nobody has control.")
    print_table(
        "Grants",
        ("grant", "holder", "source", "of", "held, s", "quiet, ms", "round trip, ms", "lost, %"),
        (
            (
                grant.tenure,
                grant.holder,
                grant.source,
                _name(grant.axes, described),
                f"{grant.held_s:.0f}",
                f"{1000 * grant.quiet_s:.0f}",
                f"{1000 * grant.round_trip_s:.1f}",
                f"{100 * grant.lost:.0f}",
            )
            for grant in listed.grants
        ),
    )
    print_table(
        "Waiting, first the next",
        ("holder", "for", "priority", "since, s"),
        ((one.holder, _name(one.axes, described), one.priority, f"{one.waited_s:.0f}") for one in listed.waiting),
    )
    print_table(
        "What has changed",
        ("at, s", "change", "holder", "of", "reason"),
        (
            (f"{one.tick * described.period_s:.1f}", one.change, one.holder, _name(one.axes, described), one.reason)
            for one in listed.history
        ),
    )


def _name(axes: Sequence[str], described: Described) -> str:
    """Axes by the largest robots that consist of them, and those that are left by their own names."""
    if len(axes) == len(described.axes):
        return "the whole cell"
    left, names = set(axes), []
    for robot in sorted(described.robots, key=lambda robot: -len(robot.axes)):
        if left.issuperset(robot.axes):
            names.append(robot.name)
            left.difference_update(robot.axes)
    return ", ".join([*names, *sorted(left)])
