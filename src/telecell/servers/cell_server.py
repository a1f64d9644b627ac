"""The process that runs one cell: the control loop and nothing else.

Started by the supervisor as `python -m telecell.servers.cell_server CELL ...`.
"""

from __future__ import annotations

import argparse
import gc
import sys

import msgspec

from telecell.bus import Ended, Link, Ready, Report, Supervision, run_supervised
from telecell.clock import SystemClock
from telecell.messages import AnyRequest, CellState, LoopState, Reply
from telecell.runtime import RunningCell, open_cell
from telecell.servers.loop import run_loop

REQUESTS_PER_TICK = 32
MAX_PENDING_REPLIES = 256
TICKS_BETWEEN_COLLECTIONS = 2500


class CellServer:
    """One running cell behind a link: takes requests, steps, reports.

    Args:
        running: the cell.
        link: to whoever commands and watches it; None runs the cell alone.
    """

    def __init__(self, running: RunningCell, link: Link[AnyRequest] | None = None):
        self._running = running
        self._link = link
        self._replies: list[Reply] = []
        self._ticks_since_collection = 0

    def tick(self, loop: LoopState) -> CellState:
        """One control period: requests, motion, report."""
        self._take_requests()
        self._running.step()
        state = self._running.state(loop)
        self._report(state)
        self._collect_garbage_at_rest(state)
        return state

    def _take_requests(self) -> None:
        """A bounded number: a flood waits in the link, where it is counted, and does not eat the period."""
        for _ in range(REQUESTS_PER_TICK):
            request = self._link.maybe_receive() if self._link else None
            if request is None:
                return
            self._replies.append(self._running.handle(request))

    def _report(self, state: CellState) -> None:
        """Replies that found no room are sent again with the next state."""
        if self._link and self._link.send(Report(state, tuple(self._replies))):
            self._replies.clear()
        del self._replies[:-MAX_PENDING_REPLIES]

    def _collect_garbage_at_rest(self, state: CellState) -> None:
        """Python's own collector is off: it would interrupt the motion whenever it likes."""
        self._ticks_since_collection += 1
        if self._ticks_since_collection >= TICKS_BETWEEN_COLLECTIONS and not any(r.moving for r in state.robots):
            gc.collect()
            self._ticks_since_collection = 0


def serve(server: CellServer, period_s: float, supervision: Supervision) -> None:
    """Run the cell in real time until the supervisor wants it to end."""
    gc.collect()
    gc.freeze()
    gc.disable()
    last: CellState | None = None

    def work(loop: LoopState) -> bool:
        nonlocal last
        last = server.tick(loop)
        return not supervision.should_end

    supervision.tell(Ready())
    pacer = run_loop(work, period_s, SystemClock())
    assert last is not None
    supervision.tell(Ended(last.tick, last.time_s, pacer.elapsed_s, pacer.state))


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.servers.cell_server", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--plant", choices=["physics", "fake"], default="physics")
    parser.add_argument("--supervisor-fd", type=int, required=True)
    parser.add_argument("--link-fd", type=int)
    options = parser.parse_args(arguments)

    def work(supervision: Supervision) -> None:
        running = open_cell(options.cell, plant=options.plant)
        link = Link.from_fd(options.link_fd, msgspec.json.Decoder(AnyRequest)) if options.link_fd is not None else None
        serve(CellServer(running, link), running.plant.period_s, supervision)

    return run_supervised(options.supervisor_fd, work)


if __name__ == "__main__":
    sys.exit(main())
