"""`telecell status`: how a running cell is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telecell.cli.output import JsonFlag, print_json, print_table
from telecell.cli.running import CellOption, ConnectOption, SiteOption, list_present

if TYPE_CHECKING:
    from telecell.client import CellClient

EXAMPLES = ("telecell status", "telecell status --cell puma", "telecell status --connect tcp/127.0.0.1:7447 --json")


def run(
    cell: CellOption = None, site: SiteOption = None, connect: ConnectOption = None, as_json: JsonFlag = False
) -> None:
    """How a running cell is: its loop, its robots, the link to it, and who is there."""
    from telecell.client.connecting import find_place, open_place

    place = find_place(connect, cell=cell, site=site)
    with open_place(place) as running:
        document = build_state_document(running)
        present = list_present(place)
    document["processes"] = [{"part": one.part, "identity": one.identity} for one in present]
    if as_json:
        print_json(document)
    else:
        _print_status(document)


def build_state_document(running: CellClient) -> dict[str, Any]:
    """The cell at its newest tick, and the link to it."""
    state, link = running.state(), running.link()
    return {
        "cell": state.cell,
        "epoch": state.epoch,
        "tick": state.tick,
        "time_s": state.time_s,
        "real_time_factor": state.loop.real_time_factor,
        "overruns": state.loop.overruns,
        "dropped": state.loop.dropped,
        "robots": list_robots(running),
        "link": {"age_s": link.age_s, "round_trip_s": link.round_trip_s, "lost": link.lost},
    }


def list_robots(running: CellClient, only: str | None = None) -> list[dict[str, Any]]:
    """What each robot does, who holds it, what keeps it stopped, and what clears that."""
    from telecell.station.wording import get_stop_remedy

    state = running.state()
    causes = {axis.name: axis.stopped for axis in state.axes}
    documents = []
    for robot in state.robots:
        axes = running.manipulators[robot.name].axes
        stopped = list(dict.fromkeys(cause for cause in map(causes.get, axes) if cause is not None))
        documents.append(
            {
                "name": robot.name,
                "mode": robot.mode,
                "holder": robot.holder,
                "stopped": stopped,
                "cleared_by": [get_stop_remedy(cause) for cause in stopped],
            }
        )
    return [document for document in documents if only in (None, document["name"])]


def print_robots(title: str, robots: list[dict[str, Any]]) -> None:
    """Print a table of what `list_robots` says."""
    print_table(title, ROBOT_COLUMNS, map(write_robot, robots))


ROBOT_COLUMNS = ("robot", "mode", "holder", "stopped", "cleared by")


def write_robot(robot: dict[str, Any]) -> tuple[str, ...]:
    """One row of `ROBOT_COLUMNS`."""
    from telecell.station.wording import get_stop_title

    titles = "; ".join(map(get_stop_title, robot["stopped"]))
    return robot["name"], robot["mode"], robot["holder"] or "nobody", titles, "; ".join(robot["cleared_by"])


def write_link(link: dict[str, Any]) -> str:
    """How good the way to the cell is, in one line."""
    age_ms, trip_ms = 1000 * link["age_s"], 1000 * link["round_trip_s"]
    return f"state {age_ms:.0f} ms old, round trip {trip_ms:.1f} ms, {link['lost']} states lost in a second"


def _print_status(document: dict[str, Any]) -> None:
    print_table(
        f"Cell {document['cell']}",
        ("", ""),
        (
            ("up", f"{document['time_s']:.1f} s, tick {document['tick']}"),
            ("epoch", document["epoch"]),
            ("real-time factor", f"{document['real_time_factor']:.2f}"),
            ("overruns", f"{document['overruns']}, {document['dropped']} periods left out"),
            ("link", write_link(document["link"])),
        ),
    )
    print_robots("Robots", document["robots"])
    print_table("Processes", ("part", "identity"), ((one["part"], one["identity"]) for one in document["processes"]))
