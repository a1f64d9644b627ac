"""How far a motion is, for the person at the terminal."""

from __future__ import annotations

import math
import sys
from types import TracebackType

from telecell.cli.output import tell

LINE_EVERY_S = 1.0


class MotionProgress:
    """A bar on a terminal, a line per second elsewhere; both beside the result.

    Args:
        title: what moves.
        duration_s: how long it will take, as far as is known.
        quiet: say nothing.
    """

    def __init__(self, title: str, duration_s: float, *, quiet: bool = False):
        from rich.console import Console
        from rich.progress import Progress

        self._title = title
        self._duration_s = duration_s
        self._next_line_s = math.inf if quiet else LINE_EVERY_S
        shown = sys.stderr.isatty() and not quiet
        self._bar = Progress(console=Console(stderr=True), transient=True) if shown else None
        self._task = self._bar.add_task(title, total=duration_s) if self._bar else None

    def __enter__(self) -> MotionProgress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def show(self, elapsed_s: float) -> None:
        """The motion has been under way for so long."""
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=min(elapsed_s, self._duration_s))
        elif elapsed_s >= self._next_line_s:
            self._next_line_s += LINE_EVERY_S
            tell(f"{self._title}: {elapsed_s:.0f} of {self._duration_s:.1f} s")
