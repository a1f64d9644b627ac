"""A cell that runs in processes of its own, for the commands that talk to one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from telecell.client import CellClient
from telecell.client.connecting import connect
from telecell.clock import SystemClock

PROGRAM = [sys.executable, "-c", "from telecell.cli import main; main()"]
TIMEOUT_S = 30.0


@contextmanager
def run_cell(*arguments: str) -> Iterator[None]:
    """`telecell cell`, from the moment it is ready to its orderly end."""
    process = subprocess.Popen([*PROGRAM, "cell", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        _read_until_ready(process.stdout)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_S)


def _read_until_ready(output: IO[str]) -> None:
    for line in output:
        if "is running" in line:
            return
    raise AssertionError("the cell has not come up")


@contextmanager
def open_puma() -> Iterator[CellClient]:
    """A program beside the commands; the robot has power, is not stopped, and stands where the cell came up."""
    with connect(cell="puma") as client:
        arm = client.manipulator("puma")
        with arm.control("test bench", wait_s=5.0):
            arm.reset()
            arm.power(True)
            arm.home().wait()
        yield client


def wait_until(client: CellClient, condition: Callable[[], bool]) -> None:
    """Let time pass until something holds, but not for ever."""
    clock = SystemClock()
    end_s = clock.now() + TIMEOUT_S
    while not condition():
        assert clock.now() < end_s, "it never came to that"
        client.run(0.02)
