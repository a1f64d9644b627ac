"""Row B1 and B3: a holder vanishes, the robot brakes, and the grant is free for the next one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from soak.real.cell_process import CellProcess
from soak.real.faults import FAULTS, Fault, Victim
from soak.real.judging import RULES, judge_expiry, judge_silence
from soak.real.program import Program
from soak.real.record import find_grant
from soak.real.witness import Witness
from telecell.bus import TcpProxy
from telecell.messages.events import GrantChanged, Stopped

GOES_ON_TICKS = 250
"""So long queued motion is watched after its program hangs: twice the time in which it would be stopped."""

MOST_UNSEEN = 4
"""Trials on a machine so busy that states were lost that count, or the library of a program was not heard."""


class Vanishing:
    """Lets one holder after the other vanish by one fault: the next one waits already, and takes over.

    Args:
        cell: runs.
        witness: of it.
    """

    def __init__(self, cell: CellProcess, witness: Witness):
        self._cell = cell
        self._witness = witness
        self._count = 0

    def run(self, source: str, cause: str, trials: int = 2) -> list[str]:
        """Returns what was not kept; in the end nobody holds the robot, which rests."""
        fault = FAULTS[cause]
        wrongs: list[str] = []
        judged = 0
        with contextlib.ExitStack() as stack:
            waiting = dict(stack.enter_context(self._start(source, fault)) for _ in range(trials))
            for _ in range(trials + MOST_UNSEEN):
                name = self._wait_for_holder(waiting)
                found = self._strike(waiting.pop(name), name, source, fault)
                if found is not None:
                    wrongs += found
                    judged += 1
                if judged == trials:
                    return wrongs
                if not waiting:
                    waiting = dict([stack.enter_context(self._start(source, fault))])
        return [*wrongs, f"only {judged} of {trials} trials could be judged"]

    def _wait_for_holder(self, waiting: dict[str, Victim]) -> str:
        try:
            return self._witness.wait_for(self._witness.find_steady_holder, "a holder that moves the robot")
        except TimeoutError as error:
            said = {name: victim.program.lines[-3:] for name, victim in waiting.items()}
            raise TimeoutError(f"{error}; those who wait say {said}") from None

    @contextlib.contextmanager
    def _start(self, source: str, fault: Fault) -> Iterator[tuple[str, Victim]]:
        self._count += 1
        name = f"{source}-{self._count}"
        arguments = [name]
        if fault.misfortune is not None:
            arguments += ["--misfortune", fault.misfortune]
        if source == "attended":
            arguments.append("--attended")
        with TcpProxy(*self._cell.address) as proxy:
            if fault.by_network:
                arguments += ["--endpoint", proxy.endpoint]
            with Program("streams" if source == "streams" else "moves", *arguments) as program:
                yield name, Victim(program, proxy)

    def _strike(self, victim: Victim, name: str, source: str, fault: Fault) -> list[str] | None:
        """One trial; None if the machine was too busy for it."""
        record = self._witness.record
        tick, tenure = record.newest.tick, record.newest.grants[0].tenure
        fault.strike(victim)
        goes_on = self._goes_on(victim.program, tick, tenure, source) if fault.is_hang else True
        expired = self._witness.wait_for_change("expired", tenure)
        stop = self._find_stop(expired)
        self._witness.wait_for_tick(expired.tick + 1)
        if fault.recover is not None:
            fault.recover(victim)
            victim.program.wait_for_line("refused NotHolder")
        if not goes_on or not record.has_seen(*range(stop.tick - 1, stop.tick + 2), expired.tick, expired.tick + 1):
            return None
        return [*judge_expiry(record, expired), *judge_silence(record, stop, tenure, name, RULES[source])]

    def _find_stop(self, expired: GrantChanged) -> Stopped:
        """The stop that the silence has led to: the last one before the grant was lost, or with it."""
        return [stop for stop in self._witness.record.list_events(Stopped) if stop.tick <= expired.tick][-1]

    def _goes_on(self, program: Program, tick: int, tenure: int, source: str) -> bool:
        """Whether the library keeps the grant of a program that hangs, and queued motion goes on; then it is killed.

        Motion that counts on the program itself is stopped. On a busy machine a library may come too late.
        """
        if source != "moves":
            self._witness.wait_for_stop(tick)
        self._witness.wait_for_tick(tick + GOES_ON_TICKS)
        record = self._witness.record
        program.kill()
        stopped = bool(record.list_events(Stopped, tick))
        return find_grant(record.newest, tenure) is not None and stopped == (source != "moves")
