"""Waiting for something to become true, as long as it takes on a busy machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from telecell.clock import SystemClock

PATIENCE_S = 60.0
"""Nothing is judged by this: it only ends a run that hangs."""

LOOK_S = 0.01

Found = TypeVar("Found")


def wait_for(find: Callable[[], Found | None], what: str, patience_s: float = PATIENCE_S) -> Found:
    """What `find` finds, as soon as it finds something.

    Raises:
        TimeoutError: it does not.
    """
    clock = SystemClock()
    end_s = clock.now() + patience_s
    while clock.now() < end_s:
        found = find()
        if found:
            return found
        clock.sleep_until(clock.now() + LOOK_S)
    raise TimeoutError(f"{what} has not come in {patience_s:g} s")
