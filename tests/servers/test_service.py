import os
import selectors
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from telecell.bus import open_router
from telecell.clock import ManualClock
from telecell.servers.service import FIRST_PAUSE_S, GOOD_LIFE_S, LONGEST_PAUSE_S, Backoff, Service


def test_pauses_double_up_to_the_longest():
    backoff = Backoff()
    pauses = [backoff.note_death(1.0) for _ in range(7)]
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, LONGEST_PAUSE_S, LONGEST_PAUSE_S]


def test_a_good_life_is_rewarded():
    backoff = Backoff()
    for _ in range(5):
        backoff.note_death(1.0)
    assert backoff.note_death(GOOD_LIFE_S) == FIRST_PAUSE_S
    assert backoff.note_death(1.0) == 2 * FIRST_PAUSE_S


class Bench:
    """A worker under the eyes of a supervisor whose time passes as the test likes."""

    def __init__(self, endpoint: str, selector: selectors.BaseSelector):
        self.clock = ManualClock()
        self.said: list[str] = []
        arguments = ["puma", "--endpoint", endpoint]
        self.service = Service("worker", "telecell.servers.worker", arguments, selector, self.clock, self.said.append)
        self._selector = selector

    def tend_until(self, condition: Callable[[], bool], step_s: float = 0.0) -> None:
        """Tend the process until something is the case, with so much time in between."""
        self.service.tend()
        while not condition():
            self._selector.select(0.1)
            self.clock.advance(step_s)
            self.service.tend()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    endpoint = f"unixsock-stream/{tmp_path}/r"
    with open_router([endpoint]), selectors.DefaultSelector() as selector:
        bench = Bench(endpoint, selector)
        bench.service.start()
        yield bench
        bench.service.terminate()
        bench.service.finish(bench.clock.now())


def test_a_process_that_is_stuck_is_killed_and_started_again(bench: Bench):
    service = bench.service
    bench.tend_until(lambda: service.ready)
    os.kill(service.pid or 0, signal.SIGSTOP)
    bench.tend_until(lambda: service.pid is None, step_s=1.0)
    assert bench.said == [
        "worker: the process ended by itself (SIGKILL): killed, since it gave no sign of life for 10 s. "
        "It starts again in 0.5 s."
    ]
    service.tend()
    assert service.pid is None
    bench.clock.advance(FIRST_PAUSE_S)
    bench.tend_until(lambda: service.ready)
    assert bench.said[1:] == ["worker: running again"]
