"""`telecell reset`: let stopped robots of a running cell move again."""

from __future__ import annotations

from telecell.cli.output import JsonFlag, print_json
from telecell.cli.running import (
    CellOption,
    ConnectOption,
    NameOption,
    SiteOption,
    WaitOption,
    get_user_name,
    open_running,
)
from telecell.cli.status import list_robots, print_robots
from telecell.cli.stop import NEWS_S, RobotsArgument

EXAMPLES = ("telecell reset", "telecell reset puma --as alice --wait 10")


def run(
    robot: RobotsArgument = None,
    name: NameOption = None,
    wait: WaitOption = 0.0,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let robots of a running cell move again after a stop; nothing moves by itself.

    Takes control of them and gives it back.
    """
    holder = name or get_user_name()
    with open_running(cell, site, connect) as running:
        who = running if robot is None else running.manipulator(robot)
        with who.control(holder, wait_s=wait):
            who.reset()
        running.run(NEWS_S)
        robots = list_robots(running, robot)
    if as_json:
        print_json({"holder": holder, "robots": robots})
    else:
        print_robots(f"Reset by {holder}", robots)
