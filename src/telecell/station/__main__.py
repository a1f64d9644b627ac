"""The process behind the page, started by the supervisor as `python -m telecell.station CELL ...`."""

from __future__ import annotations

import argparse
import os
import sys

import msgspec

from telecell.bus import Link, Ready, Report, Supervision, run_supervised
from telecell.clock import SystemClock
from telecell.models import load_cell
from telecell.station.audience import Browsers
from telecell.station.page import Page
from telecell.station.server import open_server

NICENESS = 5
"""On a busy machine the picture waits for the control loop, not the other way round."""


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.station", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--supervisor-fd", type=int, required=True)
    parser.add_argument("--link-fd", type=int, required=True)
    options = parser.parse_args(arguments)
    os.nice(NICENESS)

    def work(supervision: Supervision) -> None:
        cell = load_cell(options.cell)
        link = Link.from_fd(options.link_fd, msgspec.json.Decoder(Report).decode)
        with open_server(options.port, f"Telecell - {cell.name}") as server:
            page = Page(cell, link, server, Browsers(server), SystemClock())
            supervision.tell(Ready())
            page.run(lambda: supervision.should_end)

    return run_supervised(options.supervisor_fd, work)


if __name__ == "__main__":
    sys.exit(main())
