"""Ctrl-C as a wish that is seen to at a good moment, not as an error in the middle of something."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType


class Interruption:
    """Notes the first Ctrl-C inside its `with` block; the second is what Ctrl-C always is.

    Attributes:
        wanted: whether Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.wanted = False

    def __enter__(self) -> Interruption:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.wanted = True
        signal.signal(signal.SIGINT, self._before)
