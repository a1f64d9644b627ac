"""Judges a record: each function returns what was not kept, in words."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from soak.real.record import MOVED, Record, compute_step, find_grant
from telecell.messages import CellState
from telecell.messages.events import GrantChanged, SegmentStarted, Stopped, StoppedAxesReset

LEASE_S = 1.0
ROUNDING_S = 1e-6
LONGEST_BRAKING_TICKS = 250
"""More than the robot needs from full speed to rest, by far."""


class Rule(NamedTuple):
    """How a source may be silent.

    Attributes:
        silence_s: how long.
        clock: which field of its grant says how long it has been.
    """

    silence_s: float
    clock: str


RULES = {
    "moves": Rule(0.5, "quiet_s"),
    "attended": Rule(0.5, "quiet_s"),
    "streams": Rule(0.1, "idle_s"),
}


def judge_everything(record: Record) -> list[str]:
    """What has to hold in every run, whatever happens in it."""
    return [*judge_stops(record), *judge_holders(record)]


def judge_stops(record: Record) -> list[str]:
    """A4: after a stop the robot comes to rest, and moves no more before a reset."""
    wrongs: list[str] = []
    stops = sorted(event.tick for event in record.list_events(Stopped))
    resets = sorted(event.tick for event in record.list_events(StoppedAxesReset))
    stopped_at: int | None = None
    rests = False
    for before, state in record.list_pairs():
        ticks = range(before.tick, state.tick)
        if _find_last(stops, ticks) is not None:
            stopped_at, rests = _find_last(stops, ticks), False
        if (_find_last(resets, ticks) or -1) >= (_find_last(stops, ticks) or 0) or _find_last(record.gaps, ticks):
            stopped_at = None  # where events were lost, a reset may have been among them
        if stopped_at is None:
            continue
        moves = compute_step(before, state) > MOVED
        if moves and rests:
            wrongs.append(f"A4: moves in tick {before.tick}, though stopped in tick {stopped_at} and not reset")
        if moves and before.tick - stopped_at > LONGEST_BRAKING_TICKS:
            wrongs.append(f"A4: still moves in tick {before.tick}, though stopped in tick {stopped_at}")
        rests = rests or not moves
    return wrongs


def _find_last(sorted_ticks: list[int], among: range) -> int | None:
    """The last of some ticks that is in a range."""
    index = bisect_left(sorted_ticks, among.stop) - 1
    return sorted_ticks[index] if index >= 0 and sorted_ticks[index] >= among.start else None


def judge_holders(record: Record) -> list[str]:
    """A1: what moves belongs to whoever has the grant in that tick, or is coming to rest."""
    wrongs = []
    for before, state in record.list_pairs():
        held = before.grants or state.grants or _is_stopping(before) or _is_stopping(state)
        if compute_step(before, state) > MOVED and not held:
            wrongs.append(f"A1: moves in tick {before.tick}, though nobody has the grant")
    for event in record.list_events(SegmentStarted):
        state = record.states.get(event.tick + 1)
        if state is not None and event.sender not in [grant.sender for grant in state.grants]:
            wrongs.append(f"A1: a segment of {event.sender} starts in tick {event.tick}, which has not the grant")
    for event in record.list_events(GrantChanged):
        given = event.change == "acquired" and record.has_seen(event.tick, event.tick + 1)
        if given and record.compute_step(event.tick + 1) > MOVED:
            wrongs.append(f"A1: moves in tick {event.tick}, in which {event.holder} is given the grant")
    return wrongs


def _is_stopping(state: CellState) -> bool:
    return any(robot.mode == "stopping" for robot in state.robots)


def judge_braking(record: Record, stop: Stopped) -> list[str]:
    """B1, B2: the first set-point of the tick of a stop is one that brakes."""
    if record.compute_step(stop.tick + 1) < record.compute_step(stop.tick) - MOVED**2:
        return []
    steps = [record.compute_step(stop.tick + n) for n in (-1, 0, 1, 2)]
    return [f"B1: does not brake in tick {stop.tick}, steps {steps}"]


def judge_silence(record: Record, stop: Stopped, tenure: int, holder: str, rule: Rule) -> list[str]:
    """B1: the robot is stopped in the first tick in which its holder has been silent for too long."""
    wrongs = judge_braking(record, stop)
    if holder not in stop.reason:
        wrongs.append(f"B1: the reason does not name {holder}: {stop.reason}")
    if stop.cause not in ("silence", "grant_lost"):
        wrongs.append(f"B1: stopped by {stop.cause}: {stop.reason}")
    before, after = (_get_silence(record, tick, tenure, rule) for tick in (stop.tick, stop.tick + 1))
    if before is None or before > rule.silence_s + ROUNDING_S:
        wrongs.append(f"B1: silent for {before} s in tick {stop.tick - 1}, and stopped only in the next")
    if stop.cause == "silence" and (after is None or after <= rule.silence_s):
        wrongs.append(f"B1: stopped in tick {stop.tick} after a silence of only {after} s")
    return wrongs


def _get_silence(record: Record, tick: int, tenure: int, rule: Rule) -> float | None:
    state = record.states.get(tick)
    grant = find_grant(state, tenure) if state else None
    return None if grant is None else getattr(grant, rule.clock)


def judge_expiry(record: Record, expired: GrantChanged) -> list[str]:
    """B3: the grant is free in the first tick in which its lease is over."""
    wrongs = []
    before, after = record.states.get(expired.tick), record.states.get(expired.tick + 1)
    last = before and find_grant(before, expired.tenure)
    if last is None:
        wrongs.append(f"B3: the grant was gone before tick {expired.tick}")
    elif last.source != "attended" and last.quiet_s > LEASE_S + ROUNDING_S:  # whose lease is renewed apart
        wrongs.append(f"B3: no sign of life for {last.quiet_s} s, and free only in tick {expired.tick}")
    if after is None or find_grant(after, expired.tenure):
        wrongs.append(f"B3: the grant is still there after tick {expired.tick}")
    return wrongs
