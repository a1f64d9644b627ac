"""Row A2: the way to the cell is cut and mended while a program goes on sending."""

from __future__ import annotations

from soak.real.program import Program
from soak.real.record import Record
from soak.real.witness import Witness
from telecell.bus import TcpProxy
from telecell.messages.events import CommandRefused, SegmentStarted

BOUND_S = 0.25
SETTLED_TICKS = 50


def cut(witness: Witness, proxy: TcpProxy, program: Program, seconds: float, period_s: float) -> list[str]:
    """One outage of so much of the cell's time, and whatever comes after it; returns what was not kept."""
    begin = witness.look().newest.tick
    proxy.cut()
    witness.wait_for_tick(begin + round(seconds / period_s))
    mended = witness.record.newest.tick
    proxy.mend()
    witness.wait_for(lambda: witness.record.list_events(CommandRefused, mended), "a command that was refused")
    witness.wait_for(
        lambda: any(_is_moved(witness.record, tick) for tick in _list_ticks(witness, mended)), "new motion"
    )
    witness.wait_for_tick(witness.record.newest.tick + SETTLED_TICKS)
    return judge_age(witness.record, program, begin, period_s)


def _list_ticks(witness: Witness, after: int) -> range:
    return range(after + 1, witness.record.newest.tick + 1)


def _is_moved(record: Record, tick: int) -> bool:
    state = record.states.get(tick)
    return state is not None and state.robots[0].mode in ("moving", "tracking")


def judge_age(record: Record, program: Program, after: int, period_s: float) -> list[str]:
    """A2: no segment begins from rest whose sender had seen nothing newer than the bound allows.

    The number of ticks is less than the time that has passed by the cell's clock, never more. What was accepted in
    time may wait behind another segment; therefore only those that begin from rest are judged.
    """
    echoes = {int(line.split()[2]): int(line.split()[3]) for line in program.lines if line.startswith("sent")}
    wrongs = []
    for event in record.list_events(SegmentStarted, after):
        before = record.states.get(event.tick)
        if before is None or before.robots[0].moving or event.request not in echoes:
            continue
        age_s = (event.tick - echoes[event.request]) * period_s
        if age_s > BOUND_S + period_s:
            wrongs.append(f"A2: a segment starts in tick {event.tick} of a request that is {age_s:.3f} s old")
    return wrongs
