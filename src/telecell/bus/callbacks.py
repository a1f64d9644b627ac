"""How a bus runs the callbacks of others: at most once where once was promised, and never at the cost of the bus."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from telecell.bus.counts import BusCounts

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)


class Once(Generic[Value]):
    """Hands the first value that it is given to a callback and ignores all others; from any thread."""

    def __init__(self, take: Callable[[Value], None]):
        self._take: Callable[[Value], None] | None = take
        self._lock = threading.Lock()

    def __call__(self, value: Value) -> None:
        """Hand the value over if it is the first one."""
        with self._lock:
            take, self._take = self._take, None
        if take is not None:
            take(value)


def run_callback(counts: BusCounts, callback: Callable[..., None], *args: object) -> None:
    """Run a callback; one that raises is counted, and the first one of a bus is logged.

    Only the first, since a callback that fails once fails for every publication: hundreds of times a second.
    """
    try:
        callback(*args)
    except Exception:
        counts.failed += 1
        if counts.failed == 1:
            _LOG.exception("a callback of the bus has failed; later failures are only counted")
