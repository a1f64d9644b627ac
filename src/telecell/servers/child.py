"""One child process of the supervisor: started, listened to, and stopped for certain."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys

import msgspec

from telecell.bus import AnyNotice, Ended, Failed, Link, Ready, open_pair
from telecell.clock import Clock
from telecell.errors import ProcessDied

CHUNK_BYTES = 65536


def start_child(name: str, module: str, arguments: list[str]) -> Child:
    """Start one of our modules as a process.

    It gets a link to the supervisor, no standard input, and a process group of its own: Ctrl-C in a terminal reaches
    the supervisor alone, which then ends its children in order.

    Args:
        name: for messages to people.
        module: run as `python -m module`.
        arguments: of the process.
    """
    ours, theirs = open_pair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments, "--supervisor-fd", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            process_group=0,
        )
    return Child(name, process, Link(ours, msgspec.json.Decoder(AnyNotice).decode))


class Child:
    """A process of the cell, as its supervisor sees it.

    Args:
        name: for messages to people.
        process: with its standard error as a pipe.
        link: the supervisor's end.

    Attributes:
        ready: whether the process does its work.
        signs: how often it has said something, signs of life among it.
        ended: its account of itself, once it has given one.
    """

    def __init__(self, name: str, process: subprocess.Popen[bytes], link: Link[AnyNotice]):
        assert process.stderr is not None
        self.name = name
        self.ready = False
        self.signs = 0
        self.ended: Ended | None = None
        self._process = process
        self._link = link
        self._stderr = process.stderr
        self._error: str | None = None
        self._last_line = ""
        self._unfinished_line = b""
        os.set_blocking(self._stderr.fileno(), False)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def watch(self, selector: selectors.BaseSelector) -> None:
        """Have a selector wake up when the child says or complains about something."""
        selector.register(self._link, selectors.EVENT_READ)
        selector.register(self._stderr, selectors.EVENT_READ)

    def unwatch(self, selector: selectors.BaseSelector) -> None:
        """The opposite of `watch`."""
        selector.unregister(self._link)
        selector.unregister(self._stderr)

    def listen(self) -> list[str]:
        """Take in what the child has said since the last time; returns its new complaints, line by line."""
        while (notice := self._link.maybe_receive()) is not None:
            self.signs += 1
            if isinstance(notice, Ready):
                self.ready = True
            elif isinstance(notice, Failed):
                self._error = notice.error
            elif isinstance(notice, Ended):
                self.ended = notice
        lines = self._read_complaints()
        self._last_line = next((line for line in reversed(lines) if line.strip()), self._last_line)
        return lines

    def _read_complaints(self) -> list[str]:
        try:
            text = os.read(self._stderr.fileno(), CHUNK_BYTES) or b"\n" * bool(self._unfinished_line)
        except BlockingIOError:
            return []
        *lines, self._unfinished_line = (self._unfinished_line + text).split(b"\n")
        self._unfinished_line = self._unfinished_line[-CHUNK_BYTES:]
        return [line.decode(errors="replace") for line in lines]

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def build_death_notice(self) -> ProcessDied:
        """Why the process ended: the error that it reported, or else the last line of its standard error."""
        reason = self._error or self._last_line or "it did not say why"
        return ProcessDied(
            f"the process ended by itself ({_describe(self._process.returncode)}): {reason}", where=self.name
        )

    def terminate(self) -> None:
        """Ask the process to end."""
        self._process.terminate()

    def kill(self, reason: str) -> None:
        """End the process without asking, for a reason that its death notice will state."""
        self._error = reason
        self._process.kill()

    def finish(self, deadline_s: float, clock: Clock) -> None:
        """Wait for the end of a process that was told to end; kill it at the deadline."""
        try:
            self._process.wait(max(0.0, deadline_s - clock.now()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.listen()
        self._link.close()
        self._stderr.close()


def _describe(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
