"""`telecell stop`: stop a running cell, or one robot of it."""

from __future__ import annotations

import secrets
from contextlib import closing
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated

import typer

from telecell.cli.output import JsonFlag, print_json, tell
from telecell.cli.running import CellOption, ConnectOption, NameOption, SiteOption, get_user_name
from telecell.cli.status import list_robots, print_robots
from telecell.errors import CellUnreachable

if TYPE_CHECKING:
    from telecell.client.connecting import Place

EXAMPLES = ("telecell stop", "telecell stop puma --as alice")

NEWS_S = 0.1
"""What the cell published after its reply has arrived by then."""

RobotsArgument = Annotated[
    str | None, typer.Argument(metavar="[ROBOT]", help="A robot of the cell; all of them by default.")
]


def run(
    robot: RobotsArgument = None,
    name: NameOption = None,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Stop every robot of a running cell, or one, until it is reset.

    Anybody may, at any time, without control. It is no safety-rated emergency stop.
    """
    from telecell.client.connecting import find_place, open_place

    author = name or get_user_name()
    place = find_place(connect, cell=cell, site=site)
    press_stop(place, author, robot)
    tell(f"stop pressed by {author}")
    with open_place(place) as running:
        running.run(NEWS_S)
        running.wait_until_still()
        robots = list_robots(running, robot)
    if as_json:
        print_json({"author": author, "robots": robots})
    else:
        print_robots(f"Stopped by {author}", robots)


def press_stop(place: Place, author: str, robot: str | None = None) -> None:
    """Stop on the way that is for nothing else, before anything that could be slow is asked of the cell.

    Raises:
        CellUnreachable: nobody has answered.
        UnknownName: no such robot.
    """
    import msgspec

    from telecell.bus.zenoh_bus import ZenohBus
    from telecell.client.over_bus import STOP_TIMEOUT_S, STOP_TRIES
    from telecell.messages import AnyReply, Refused
    from telecell.messages.stopping import Stop

    request = Stop(sequence=1, sender=secrets.token_hex(8), author=author, robot=robot)
    answers: SimpleQueue[bytes | None] = SimpleQueue()
    answer = None
    with closing(ZenohBus(place.endpoint)) as bus:
        bus.start()
        for _ in range(STOP_TRIES):
            bus.ask(place.keys.stop, msgspec.json.encode(request), answers.put, STOP_TIMEOUT_S)
            answer = answers.get()
            if answer is not None:
                break
    if answer is None:
        raise CellUnreachable(
            "nobody has answered: the robots may still move",
            where=f"cell {place.keys.cell}",
            remedy="Use the hardware's own stop.",
        )
    reply = msgspec.json.decode(answer, type=AnyReply)
    if isinstance(reply, Refused):
        raise reply.error.to_error()
