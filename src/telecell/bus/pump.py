"""What makes parts move that are told the time: a simulation does it by hand, real time by a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Pumped(Protocol):
    """Something that does what is due whenever it is told to."""

    def pump(self) -> None:
        """Do what is due by its clock."""
        ...


@contextmanager
def running(pumped: Pumped, period_s: float = 0.001) -> Iterator[None]:
    """Pump in real time, by a thread, while the context lasts."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(period_s):
            pumped.pump()

    thread = threading.Thread(target=run, name="pump", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
