"""Rows A6 and B2: a watcher presses stop, whatever else happens."""

from __future__ import annotations

import contextlib

import telecell as tc
from soak.real.judging import judge_braking
from soak.real.program import Program
from soak.real.witness import Witness
from telecell.messages import CellState

FLOODS = 2


class Pressing:
    """Presses stop again and again, while somebody moves the robot and resets it after every stop.

    Args:
        cell: of a watcher, who has no control.
        witness: of the cell.
    """

    def __init__(self, cell: tc.CellClient, witness: Witness):
        self._cell = cell
        self._witness = witness
        self._count = 0

    def run(self, presses: int, *, floods: int = 0) -> list[str]:
        """Returns what was not kept."""
        with contextlib.ExitStack() as stack:
            for _ in range(floods):
                stack.enter_context(Program("floods")).wait_for_line("floods")
            holder = stack.enter_context(Program("moves", "holder"))
            wrongs: list[str] = []
            for _ in range(presses):
                while not self._wait_for_motion(holder, steady=not floods):
                    holder = stack.enter_context(Program("moves", "holder"))
                wrongs += self._press(steady=not floods)
            return wrongs

    def _wait_for_motion(self, holder: Program, *, steady: bool) -> bool:
        """Wait until the robot moves; False if the holder has lost control, which a flood can cost."""

        def find() -> str | None:
            moves = self._witness.find_steady_holder() if steady else self._is_moving()
            return "moves" if moves else None if holder.alive else "lost"

        return self._witness.wait_for(find, "motion") == "moves"

    def _is_moving(self) -> bool:
        newest = self._witness.record.newest
        return newest.robots[0].mode == "moving" and not _is_latched(newest)

    def _press(self, *, steady: bool) -> list[str]:
        self._count += 1
        author, record = f"press {self._count}", self._witness.record
        tick = record.newest.tick
        self._cell.stop(author)
        try:
            self._witness.wait_for(lambda: any(map(_is_latched, self._list_states(tick))), f"the effect of {author}")
        except TimeoutError:
            return [f"A6: {author} was ignored"]
        return self._judge_braking(tick) if steady else []

    def _judge_braking(self, tick: int) -> list[str]:
        stop, record = self._witness.wait_for_stop(tick), self._witness.record
        self._witness.wait_for_tick(stop.tick + 1)
        return judge_braking(record, stop) if record.has_seen(*range(stop.tick - 1, stop.tick + 2)) else []

    def _list_states(self, after: int) -> list[CellState]:
        states = self._witness.record.states
        return [states[tick] for tick in range(after + 1, self._witness.record.newest.tick + 1) if tick in states]


def _is_latched(state: CellState) -> bool:
    return all(axis.stopped is not None for axis in state.axes)
