"""The process behind the page, started by the supervisor as `python -m telecell.station CELL ...`."""

from __future__ import annotations

import argparse
import os
from contextlib import closing

from telecell.bus import DEFAULT_SITE, Keys, Ready, Supervision, ZenohBus, end_process, run_supervised
from telecell.client.over_bus import BusTransport
from telecell.client.session import Session
from telecell.clock import Clock, SystemClock
from telecell.errors import CellUnreachable
from telecell.models import load_cell
from telecell.station.audience import Browsers
from telecell.station.page import Page
from telecell.station.server import open_server

NICENESS = 5
"""On a busy machine the picture waits for the control loop, not the other way round."""

TRY_AGAIN_S = 0.1


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.station", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--site", default=DEFAULT_SITE)
    parser.add_argument("--endpoint", required=True, help="where the router of the cell listens")
    parser.add_argument("--supervisor-fd", type=int, required=True)
    options = parser.parse_args(arguments)
    os.nice(NICENESS)

    def work(supervision: Supervision) -> None:
        cell, clock = load_cell(options.cell), SystemClock()
        session = wait_for_cell(options.endpoint, Keys(options.site, cell.name), clock, supervision)
        if session is None:
            return
        with closing(session), open_server(options.port, f"Telecell - {cell.name}") as server:
            page = Page(cell, session, server, Browsers(server), clock)
            supervision.tell(Ready())
            page.run(lambda: supervision.should_end)

    return run_supervised(options.supervisor_fd, work)


def wait_for_cell(endpoint: str, keys: Keys, clock: Clock, supervision: Supervision) -> Session | None:
    """The conversation with the cell, once it answers; None when the page is to end before that."""
    while not supervision.should_end:
        transport = BusTransport(ZenohBus(endpoint), keys, clock, renewing="by hand", source="page")
        try:
            transport.start()
        except CellUnreachable:
            transport.close()
            clock.sleep_until(clock.now() + TRY_AGAIN_S)
        else:
            return Session(transport)
    return None


if __name__ == "__main__":
    end_process(main)
