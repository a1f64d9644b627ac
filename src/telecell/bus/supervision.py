"""Between a process of a cell and the supervisor that started it: news one way, the end of life the other way."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

import msgspec

from telecell.bus.link import Link
from telecell.clock import Clock, SystemClock
from telecell.errors import TelecellError
from telecell.messages import LoopState

PR_SET_PDEATHSIG = 1
SIGN_OF_LIFE_EVERY_S = 1.0


class Notice(msgspec.Struct, frozen=True, tag_field="notice"):
    """Base of what a process tells its supervisor."""


class Ready(Notice, frozen=True, tag="ready"):
    """The process does its work from now on."""


class Alive(Notice, frozen=True, tag="alive"):
    """The process still goes round its loop."""


class Failed(Notice, frozen=True, tag="failed"):
    """The process ends because of an error that a person can understand."""

    error: str


class Ended(Notice, frozen=True, tag="ended"):
    """A cell server's account of itself when it was told to end.

    Attributes:
        ticks: control periods that were run.
        time_s: simulated seconds.
        real_s: real seconds that they took.
    """

    ticks: int
    time_s: float
    real_s: float
    loop: LoopState


AnyNotice = Ready | Alive | Failed | Ended


class Supervision:
    """A process's own end of the link to its supervisor.

    The process should end when it is told to (SIGTERM) and when the supervisor has vanished, however that happened.

    Args:
        link: to the supervisor.
        clock: says when the next sign of life is due.
    """

    def __init__(self, link: Link[AnyNotice], clock: Clock):
        self._link = link
        self._clock = clock
        self._told_to_end = False
        self._sign_due_s = clock.now()

    def request_end(self, *_: object) -> None:
        """What a signal to end does."""
        self._told_to_end = True

    @property
    def should_end(self) -> bool:
        """Whether the process was told to end, or has nobody left to serve. To look is the process's sign of life."""
        if self._clock.now() >= self._sign_due_s:
            self._sign_due_s = self._clock.now() + SIGN_OF_LIFE_EVERY_S
            self.tell(Alive())
        self._link.maybe_receive()  # a supervisor says nothing: this notices that the link was closed
        return self._told_to_end or self._link.closed

    def tell(self, notice: AnyNotice) -> None:
        """Tell the supervisor something."""
        self._link.send(notice)


def run_supervised(fd: int, work: Callable[[Supervision], None]) -> int:
    """Run a process's work and return its exit code; an error of ours reaches the supervisor as one line."""
    supervision = Supervision(Link.from_fd(fd, msgspec.json.Decoder(AnyNotice).decode), SystemClock())
    signal.signal(signal.SIGTERM, supervision.request_end)
    _die_with_parent()
    try:
        work(supervision)
    except TelecellError as error:
        supervision.tell(Failed(str(error)))
        return 1
    return 0


def end_process(main: Callable[[], int]) -> NoReturn:
    """Run the entry of a process and end at once afterwards.

    Python would wait for what other threads have left behind: a bus that does not want to close would keep it alive.
    """
    code = 1
    try:
        code = main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _die_with_parent() -> None:
    """Have Linux kill this process when its parent dies, even by kill -9 and even if this process is stuck.

    Elsewhere the closed link does it, at the next look at `should_end`.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
