"""Speakers and listeners in processes of their own."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from soak.load.listener import Heard
from soak.load.sampling import Delivery, summarize
from telecell.messages import CellState
from telecell.runtime import start_cell

ROOT = Path(__file__).parents[2]
SETTLING_TICKS = 50
PATIENCE_S = 60.0


def take_state(cell: str) -> CellState:
    """The state of a cell that runs."""
    with start_cell(cell, plant="fake", keep_poses=False) as running:
        for _ in range(SETTLING_TICKS):
            running.step()
        return running.state()


@contextlib.contextmanager
def speak(way: str, endpoint: str, state: CellState, *, count: int, period_s: float) -> Iterator[None]:
    """Have so many speakers publish a state, by `bus` or by `bare` zenoh."""
    speakers = [_start("speaker", way, endpoint, f"cell{n}", str(period_s)) for n in range(count)]
    try:
        for speaker in speakers:
            assert speaker.stdin is not None
            speaker.stdin.write(msgspec.json.encode(state) + b"\n")
            speaker.stdin.flush()
        yield
    finally:
        for speaker in speakers:
            speaker.communicate(timeout=PATIENCE_S)


def listen(way: str, endpoint: str, *, count: int, seconds: float) -> Delivery:
    """What so many listeners have heard in so many seconds."""
    listeners = [_start("listener", way, endpoint, str(seconds)) for _ in range(count)]
    outputs = [listener.communicate(timeout=seconds + PATIENCE_S)[0] for listener in listeners]
    heard = [msgspec.json.decode(output, type=Heard) for output in outputs]
    return summarize([age for one in heard for age in one.ages_us], sum(one.lost for one in heard))


def _start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"soak.load.{name}", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
