"""The process that runs one cell: the control loop and nothing else.

Started by the supervisor as `python -m telecell.servers.cell_server CELL ...`.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import secrets

from telecell.bus import DEFAULT_SITE, Ended, Keys, Ready, Supervision, ZenohBus, end_process, run_supervised
from telecell.clock import Clock, SystemClock
from telecell.messages import CellSetup, CellState, LoopState
from telecell.models import load_cell
from telecell.runtime import RunningCell, start_cell
from telecell.servers.cell_port import CellPort
from telecell.servers.lock import hold_cell
from telecell.servers.loop import run_loop

TICKS_BETWEEN_COLLECTIONS = 2500
TICKS_BETWEEN_SETUPS = 250
EPOCH_BYTES = 16


class CellServer:
    """One running cell on the bus: takes requests, steps, publishes.

    Args:
        running: the cell.
        clock: by which the age of commands, the silence of holders and the speed of the plant are judged.
        port: to whoever commands and watches it, started.
    """

    def __init__(self, running: RunningCell, clock: Clock, port: CellPort):
        self._running = running
        self._clock = clock
        self._port = port
        self._told_setup = -1
        self._ticks_since_setup = 0
        self._ticks_since_collection = 0

    def tick(self, loop: LoopState) -> CellState:
        """One control period: requests, motion, publication."""
        incoming = self._port.take()
        for request, _ in incoming:
            self._running.submit(request)
        replies, events = self._running.step(self._clock.now())
        for (_, answer), reply in zip(incoming, replies, strict=True):
            answer(reply)
        state = self._running.state(loop)
        self._port.publish(state, events, self._maybe_setup())
        self._collect_garbage_at_rest(state)
        return state

    def _maybe_setup(self) -> CellSetup | None:
        """What holders have set: when it changes, and every second, since publications can be lost."""
        self._ticks_since_setup += 1
        number = self._running.controller.setup_number
        if number == self._told_setup and self._ticks_since_setup < TICKS_BETWEEN_SETUPS:
            return None
        self._told_setup = number
        self._ticks_since_setup = 0
        return self._running.setup()

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
    _go_first()
    last: CellState | None = None

    def work(loop: LoopState) -> bool:
        nonlocal last
        last = server.tick(loop)
        return not supervision.should_end

    supervision.tell(Ready())
    pacer = run_loop(work, period_s, clock)
    assert last is not None
    supervision.tell(Ended(last.tick, last.time_s, pacer.elapsed_s, pacer.state))


def _go_first() -> None:
    """Have this thread scheduled before all ordinary ones, where that is permitted.

    Measured on two cores under a load of eight: of 2000 periods 115 to 1229 ended late without it, 4 or 5 with it.
    """
    with contextlib.suppress(OSError, AttributeError):  # not permitted; not Linux
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.servers.cell_server", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--plant", default="physics", help="name of a plant driver")
    parser.add_argument("--site", default=DEFAULT_SITE)
    parser.add_argument("--endpoint", required=True, help="where the router listens")
    parser.add_argument("--profile", help="rules of control; those of the cell file by default")
    parser.add_argument("--supervisor-fd", type=int, required=True)
    options = parser.parse_args(arguments)

    def work(supervision: Supervision) -> None:
        cell = load_cell(options.cell)
        clock = SystemClock()
        epoch = secrets.token_hex(EPOCH_BYTES)
        with contextlib.ExitStack() as stack:
            bus = stack.enter_context(
                contextlib.closing(ZenohBus(options.endpoint))
            )  # closed last, since it may take long
            bus.start()
            stack.enter_context(hold_cell(cell, options.site))
            running = stack.enter_context(
                start_cell(cell.path, plant=options.plant, epoch=epoch, profile=options.profile, site=options.site)
            )
            port = CellPort(bus, Keys(options.site, cell.name))
            port.start()
            serve(CellServer(running, clock, port), running.plant.period_s, clock, supervision)

    return run_supervised(options.supervisor_fd, work)


if __name__ == "__main__":
    end_process(main)
