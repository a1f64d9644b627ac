"""The real cell server with a clock that measures, and states that are stamped with it.

`python -m bench.measured_server FILE ...` writes to FILE how late its last periods were. With `bare` or `bare-first`
in place of the server's arguments it is a loop of the same period that only sleeps: as an ordinary process, or with
the priority of the server.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from bench.lateness import LatenessClock
from telecell.bus import Ready, Supervision, end_process, run_supervised
from telecell.messages import AnyEvent, CellSetup, CellState
from telecell.servers import cell_server
from telecell.servers.cell_port import CellPort
from telecell.servers.loop import run_loop

PERIOD_S = 0.004
PERIODS = 5000
CLOCK = LatenessClock(PERIODS)


class StampedPort(CellPort):
    """States carry the machine's time at which they were published."""

    def publish(self, state: CellState, events: tuple[AnyEvent, ...] = (), setup: CellSetup | None = None) -> None:
        """Stamp, then publish."""
        super().publish(msgspec.structs.replace(state, time_s=CLOCK.now()), events, setup)


def run_bare_loop(supervision: Supervision) -> None:
    """Sleep, and nothing else."""
    supervision.tell(Ready())
    run_loop(lambda _: not supervision.should_end, PERIOD_S, CLOCK)


def main() -> int:
    """Run a loop until it is told to end."""
    path, *arguments = sys.argv[1:]
    if arguments[0].startswith("bare"):
        if arguments[0] == "bare-first":
            cell_server._go_first()
        code = run_supervised(int(arguments[-1]), run_bare_loop)
    else:
        cell_server.SystemClock = lambda: CLOCK
        cell_server.CellPort = StampedPort
        code = cell_server.main(arguments)
    CLOCK.save(Path(path))
    return code


if __name__ == "__main__":
    end_process(main)
