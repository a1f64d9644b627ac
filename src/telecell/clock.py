"""The only readers of time: everything else is told what time it is."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic time in seconds, and a way to wait until a moment."""

    def now(self) -> float:
        """Seconds on a monotonic scale with an arbitrary zero."""
        ...

    def sleep_until(self, deadline: float) -> None:
        """Return when `now()` has reached the deadline; at once if it has passed."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Seconds since an arbitrary start, never set back."""
        return time.monotonic()

    def sleep_until(self, deadline: float) -> None:
        """Sleep until the deadline on the monotonic scale."""
        remaining = deadline - time.monotonic()
        if remaining > 0:
            time.sleep(remaining)


class ManualClock:
    """A clock that moves only when told: tests and in-process cells run as fast as the machine allows."""

    def __init__(self, start: float = 0.0):
        self._now = start

    def now(self) -> float:
        """The time that was last set."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move time forward."""
        if seconds < 0:
            raise ValueError(f"time cannot go back: advance({seconds})")
        self._now += seconds

    def sleep_until(self, deadline: float) -> None:
        """Jump to the deadline."""
        self._now = max(self._now, deadline)
