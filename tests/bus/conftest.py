"""Shared by the tests of the bus: waiting for a condition, and buses of both kinds."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from telecell.bus import Bus, MemoryBroker, MemoryBus, ZenohBus, open_router, running

PATIENCE_S = 20.0
"""Long enough for the slowest machine: nothing here waits for luck."""


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Wait for a condition, and do something before each look if something is given."""

    def wait(condition: Callable[[], object], again: Callable[[], None] | None = None) -> None:
        deadline = time.monotonic() + PATIENCE_S
        pause = threading.Event()
        while True:
            if again is not None:
                again()
            if condition():
                return
            assert time.monotonic() < deadline, "the condition did not come true"
            pause.wait(0.001)

    return wait


@contextmanager
def open_memory() -> Iterator[Callable[[], Bus]]:
    broker = MemoryBroker()
    with running(broker):
        yield lambda: MemoryBus(broker)


@contextmanager
def open_zenoh(folder: Path) -> Iterator[Callable[[], Bus]]:
    endpoint = f"unixsock-stream/{folder}/r"
    with open_router([endpoint]):
        yield lambda: ZenohBus(endpoint)


@pytest.fixture(params=["memory", "zenoh"])
def join(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Bus]]:
    """Makes started buses that can reach each other."""
    with ExitStack() as stack:
        build = stack.enter_context(open_memory() if request.param == "memory" else open_zenoh(tmp_path))

        def join() -> Bus:
            bus = build()
            bus.start()
            stack.callback(bus.close)
            return bus

        yield join


@pytest.fixture
def connect(wait_until) -> Callable[[Bus, Bus], None]:
    """Wait until what a bus publishes reaches another one: zenoh tells others about declarations in its own time."""
    numbers = itertools.count()

    def connect(publisher: Bus, subscriber: Bus) -> None:
        key = f"greeting/{next(numbers)}"
        heard: list[bytes] = []
        subscriber.subscribe(key, lambda _, payload: heard.append(payload))
        wait_until(lambda: heard, lambda: publisher.publish(key, b""))

    return connect
