"""Memory stays flat, however long a cell works."""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from telecell.messages import AnyEvent, Refused, events, replies, settings
from telecell.messages.granting import Acquire
from telecell.messages.moves import MoveJoints
from telecell.runtime import RunningCell, start_cell

MIB = 2**20


class Worker:
    """Moves one robot from place to place without an end, and forgets what has happened."""

    def __init__(self, plant: str):
        self.running: RunningCell = start_cell("puma", plant=plant, keep_poses=False)
        self._random = random.Random(7)
        self._grant = None
        self._sequence = self._queued = 0
        taken = self._ask(Acquire, holder="worker", source="inside")
        assert isinstance(taken, replies.Granted)
        self._grant = taken.grants[0].grant
        self._ask(settings.Power, robot="puma", on=True)
        self._ask(settings.SetTipSpeed, robot="puma", speed_m_s=2.0)

    def _ask(self, kind: type, **fields: Any) -> replies.Reply:
        self._sequence += 1
        self.running.submit(kind(sequence=self._sequence, grant=self._grant, echo=self.running.tick, **fields))
        answered, happened = self.running.step()
        self._note(happened)
        return answered[0]

    def _note(self, happened: tuple[AnyEvent, ...]) -> None:
        self._queued -= sum(isinstance(event, events.SegmentEnded) for event in happened)
        assert not any(isinstance(event, events.Stopped) for event in happened), happened

    def work(self, seconds: float) -> None:
        """Two moves are always queued, near the start pose, so that nothing collides."""
        end = self.running.time_s + seconds
        while self.running.time_s < end:
            if self._queued < 2:
                start = self.running.cell.start
                joints = tuple(value + self._random.uniform(-0.3, 0.3) for value in start)
                self._queued += not isinstance(self._ask(MoveJoints, robot="puma", joints=joints), Refused)
            else:
                self._note(self.running.step()[1])


def measure_memory() -> int:
    """Resident bytes of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "warm_up_s", "seconds"), [("fake", 300.0, 3300.0), ("physics", 30.0, 270.0)])
def test_memory_is_flat_over_a_long_time_of_work(plant: str, warm_up_s: float, seconds: float):
    worker = Worker(plant)
    worker.work(warm_up_s)
    before = measure_memory()
    worker.work(seconds)
    assert measure_memory() - before < 4 * MIB
