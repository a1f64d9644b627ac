"""Patience in the cell's own time."""

from __future__ import annotations

from typing import Protocol


class Timed(Protocol):
    """Whatever knows the cell's time."""

    @property
    def time_s(self) -> float:
        """The cell's time."""
        ...


class Countdown:
    """So much of the cell's time from now on; a cell that comes up anew begins at zero, which takes none of it away.

    Args:
        timed: knows the cell's time.
        seconds: how much.
    """

    def __init__(self, timed: Timed, seconds: float):
        self._timed = timed
        self._left_s = seconds
        self._last_s = timed.time_s

    @property
    def left_s(self) -> float:
        """What is left of it."""
        now_s = self._timed.time_s
        self._left_s -= max(now_s - self._last_s, 0.0)
        self._last_s = now_s
        return self._left_s
