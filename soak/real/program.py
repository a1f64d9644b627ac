"""A program of somebody else, in a process of its own, with what it says."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

from soak.real.patience import wait_for

ROOT = Path(__file__).parents[2]


class Program:
    """One of `soak.real.programs`; use it as a context, at whose end it is killed.

    Args:
        name: of its module.
        arguments: of its own.

    Attributes:
        lines: what it has said, line by line.
    """

    def __init__(self, name: str, *arguments: str):
        self.name = name
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"soak.real.programs.{name}", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait_for_end()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            for line in stdout:
                self.lines.append(line.rstrip("\n"))

    def wait_for_line(self, beginning: str) -> str:
        """The first line that begins like this, as soon as it was said.

        Raises:
            RuntimeError: it ends without having said it.
        """

        def find() -> str | None:
            alive = self.alive  # asked first: what a dead program has said is complete then
            line = next((line for line in self.lines if line.startswith(beginning)), None)
            if line is None and not alive:
                raise RuntimeError(f"{self.name} ended before it said {beginning!r}: {self.lines[-3:]}")
            return line

        try:
            return wait_for(find, f"{beginning!r} of {self.name}")
        except TimeoutError as error:
            raise TimeoutError(f"{error}, which says {self.lines[-3:]}") from None

    @property
    def alive(self) -> bool:
        """Whether it runs, or something that it has said was not read yet."""
        return self._process.poll() is None or self._reader.is_alive()

    def wait_for_end(self) -> int:
        """Its exit code."""
        wait_for(lambda: not self.alive, f"the end of {self.name}")
        return self._process.wait()

    # What can happen to it

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()

    def freeze(self) -> None:
        """It stands still, wherever it is."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """The opposite of `freeze`."""
        self._process.send_signal(signal.SIGCONT)

    def strike(self) -> None:
        """It does to itself what its arguments say."""
        self._process.send_signal(signal.SIGUSR1)
