"""What the programs have in common that hold a robot: their arguments, and the misfortune that strikes them."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Callable

import telecell as tc

ROBOT = "puma"
FAR_RAD = 2.4
WAIT_S = 600.0


def _raise() -> None:
    raise RuntimeError("a mistake in the program")


def _exit() -> None:
    os._exit(3)


def _loop() -> None:
    while True:
        pass


def _deadlock() -> None:
    lock = threading.Lock()
    with lock, lock:
        pass


MISFORTUNES: dict[str, Callable[[], None]] = {"raise": _raise, "exit": _exit, "loop": _loop, "deadlock": _deadlock}


class Holder:
    """One program that wants to move the robot to and fro, for ever.

    Attributes:
        cell: connected.
        arm: the robot.
    """

    def __init__(self) -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("name")
        parser.add_argument("--endpoint", help="on this machine by default")
        parser.add_argument("--misfortune", choices=sorted(MISFORTUNES), help="what SIGUSR1 does to it")
        parser.add_argument("--attended", action="store_true")
        self._options = parser.parse_args()
        self._struck = False
        signal.signal(signal.SIGUSR1, self._note_strike)
        self.cell = self._connect()
        self.arm = self.cell.manipulator(ROBOT)

    def _connect(self) -> tc.CellClient:
        """Connect; on a busy machine the answer may not come in time, and it is tried again."""
        while True:
            try:
                return tc.connect(self._options.endpoint)
            except tc.CellUnreachable as error:
                print(f"again {type(error).__name__}: {error}", flush=True)

    def _note_strike(self, *_: object) -> None:
        self._struck = True

    def suffer(self) -> None:
        """Called again and again by the program's own loop: here it happens."""
        if self._struck:
            self._struck = False
            MISFORTUNES[self._options.misfortune]()

    def run(self, move: Callable[[Holder], None]) -> None:
        """Have control, and move until it is lost; a stop is reset, as an impatient person would do it."""
        self._take_control()
        while True:
            try:
                self.arm.reset()
                self.arm.power(True)
                move(self)
            except (tc.NotHolder, tc.CellUnreachable) as error:
                self.insist(error)
                return
            except tc.TelecellError as error:
                print(f"again {type(error).__name__}: {error}", flush=True)

    def _take_control(self) -> None:
        """Wait for it; on a busy machine a question may come too late, and is asked again."""
        while True:
            try:
                self.cell.take_control(self._options.name, wait_s=WAIT_S, attended=self._options.attended)
            except tc.TelecellError as error:
                print(f"again {type(error).__name__}: {error}", flush=True)
            else:
                print("holds", flush=True)
                return

    def insist(self, error: tc.TelecellError) -> None:
        """Control is lost; once more it tries to move, as soon as the cell can be reached."""
        print(f"lost {type(error).__name__}: {error}", flush=True)
        while isinstance(error, tc.CellUnreachable):
            try:
                self.cell.run(0.1)
                self.arm.move_joints_by((0.1, 0, 0, 0, 0, 0))
            except tc.TelecellError as newer:
                error = newer
        print(f"refused {type(error).__name__}: {error}", flush=True)

    def choose_goal(self) -> tuple[float, ...]:
        """The far end from where the robot is; only its waist moves, so that its speed is constant."""
        waist, *others = self.arm.where().joints
        return (FAR_RAD if waist < 0.0 else -FAR_RAD, *others)
