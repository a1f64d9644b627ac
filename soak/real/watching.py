"""Rows C2 and C3: those who only watch."""

from __future__ import annotations

import telecell as tc
from soak.real.program import Program
from soak.real.witness import Witness
from telecell.messages.queries import Subscribe
from telecell.models import Cell

FROZEN_TICKS = 750
ATTEMPTS = 5
"""On a busy machine the witness itself may be late once; one that is starved by another is so every time."""


def watch_beside_frozen(witness: Witness, frozen: Program) -> list[str]:
    """C2: while a watcher stands still, the witness gets every tick, and the loop goes on."""
    frozen.freeze()
    missed, overruns = [], 0
    for _ in range(ATTEMPTS):
        begin = witness.look().newest
        witness.wait_for_tick(begin.tick + FROZEN_TICKS)
        missed = witness.record.list_missed(begin.tick)
        overruns = witness.record.newest.loop.overruns - begin.loop.overruns
        if not missed and overruns < FROZEN_TICKS / 2:
            return []
    return [f"C2: {len(missed)} ticks were missed, {overruns} overruns"]


def judge_joining(endpoint: str, description: Cell, witness: Witness) -> list[str]:
    """C3: somebody joins, and has state, description and all events that the cell still has."""
    wrongs = []
    with tc.connect(endpoint) as cell:
        state, described = cell.state(), cell.describe()
        subscribed = cell.send(Subscribe, after=0).result()
        newest = witness.look().newest
        if len(state.axes) != len(description.axes) or [axis.name for axis in described.axes] != [
            axis.name for axis in state.axes
        ]:
            wrongs.append("C3: axes are missing")
        if state.tick < newest.tick - FROZEN_TICKS or state.grants == ():
            wrongs.append(f"C3: the state is of tick {state.tick}, though {newest.tick} has come")
        if "bench" not in described.frames:
            wrongs.append("C3: a frame that the holder has defined is missing")
        numbers = [event.number for event in subscribed.events]
        if numbers != list(range(subscribed.lost + 1, subscribed.newest + 1)):
            wrongs.append(f"C3: of {subscribed.newest} events {len(numbers)} came, and {subscribed.lost} are gone")
    return wrongs
