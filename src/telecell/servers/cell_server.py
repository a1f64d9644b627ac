"""The process that runs one cell: the control loop and nothing else.

Started by the supervisor as `python -m telecell.servers.cell_server CELL ...`.
"""

from __future__ import annotations

import argparse
import gc
import secrets
import sys

from telecell.bus import Ended, Link, Ready, Report, Supervision, run_supervised
from telecell.clock import Clock, SystemClock
from telecell.messages import AnyEvent, AnyRequest, CellState, LoopState, MalformedRequest, decode_request
from telecell.runtime import RunningCell, start_cell
from telecell.servers.loop import run_loop
from telecell.servers.outbox import Outbox

REQUESTS_PER_TICK = 32
TICKS_BETWEEN_COLLECTIONS = 2500
EPOCH_BYTES = 16

RequestLink = Link[AnyRequest | MalformedRequest]


class CellServer:
    """One running cell behind a link: takes requests, steps, reports.

    Args:
        running: the cell.
        clock: by which the age of commands, the silence of streams and the speed of the plant are judged.
        link: to whoever commands and watches it; None runs the cell alone.
    """

    def __init__(self, running: RunningCell, clock: Clock, link: RequestLink | None = None):
        self._running = running
        self._clock = clock
        self._link = link
        self._outbox = Outbox()
        self._newest_event = 0
        self._ticks_since_collection = 0

    def tick(self, loop: LoopState) -> CellState:
        """One control period: requests, motion, report."""
        self._take_requests()
        replies, events = self._running.step(self._clock.now())
        for reply in replies:
            self._outbox.put(reply)
        state = self._running.state(loop)
        self._report(state, events)
        self._collect_garbage_at_rest(state)
        return state

    def _take_requests(self) -> None:
        """A bounded number: a flood waits in the link, where it is counted, and does not eat the period."""
        for _ in range(REQUESTS_PER_TICK):
            request = self._link.maybe_receive() if self._link else None
            if request is None:
                return
            self._running.submit(request)

    def _report(self, state: CellState, events: tuple[AnyEvent, ...]) -> None:
        """Replies that found no room are sent again with the next state; events can be asked for."""
        self._newest_event = events[-1].number if events else self._newest_event
        replies = self._outbox.get_batch()
        if self._link and self._link.send(Report(state, replies, events, self._newest_event)):
            self._outbox.drop(len(replies))

    def _collect_garbage_at_rest(self, state: CellState) -> None:
        """Python's own collector is off: it would interrupt the motion whenever it likes."""
        self._ticks_since_collection += 1
        if self._ticks_since_collection >= TICKS_BETWEEN_COLLECTIONS and not any(r.moving for r in state.robots):
            gc.collect()
            self._ticks_since_collection = 0


def serve(server: CellServer, period_s: float, clock: Clock, supervision: Supervision) -> None:
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
    pacer = run_loop(work, period_s, clock)
    assert last is not None
    supervision.tell(Ended(last.tick, last.time_s, pacer.elapsed_s, pacer.state))


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.servers.cell_server", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--plant", default="physics", help="name of a plant driver")
    parser.add_argument("--supervisor-fd", type=int, required=True)
    parser.add_argument("--link-fd", type=int)
    options = parser.parse_args(arguments)

    def work(supervision: Supervision) -> None:
        link = Link.from_fd(options.link_fd, decode_request) if options.link_fd is not None else None
        clock = SystemClock()
        with start_cell(options.cell, plant=options.plant, epoch=secrets.token_hex(EPOCH_BYTES)) as running:
            serve(CellServer(running, clock, link), running.plant.period_s, clock, supervision)

    return run_supervised(options.supervisor_fd, work)


if __name__ == "__main__":
    sys.exit(main())
