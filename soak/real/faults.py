"""What can happen to a program that holds a robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from soak.real.program import Program
from telecell.bus import TcpProxy


class Victim(NamedTuple):
    """A program, and the network between it and the cell."""

    program: Program
    proxy: TcpProxy


class Fault(NamedTuple):
    """One cause.

    Attributes:
        strike: makes it happen.
        recover: ends it, where it can be ended; the program then tries to go on.
        misfortune: what the program does to itself, if it does.
        by_network: whether the program has to be reached through the proxy.
        is_hang: only the program's main thread hangs: its library goes on.
    """

    strike: Callable[[Victim], None]
    recover: Callable[[Victim], None] | None = None
    misfortune: str | None = None
    by_network: bool = False
    is_hang: bool = False


def _suffer(victim: Victim) -> None:
    victim.program.strike()


def _mend(victim: Victim) -> None:
    victim.proxy.mend()


FAULTS = {
    "killed": Fault(lambda victim: victim.program.kill()),
    "frozen": Fault(lambda victim: victim.program.freeze(), lambda victim: victim.program.go_on()),
    "exception": Fault(_suffer, misfortune="raise"),
    "exit": Fault(_suffer, misfortune="exit"),
    "endless_loop": Fault(_suffer, misfortune="loop", is_hang=True),
    "deadlock": Fault(_suffer, misfortune="deadlock", is_hang=True),
    "blackhole": Fault(lambda victim: victim.proxy.cut(), _mend, by_network=True),
    "blackhole_to_the_cell": Fault(lambda victim: victim.proxy.cut(down=False), _mend, by_network=True),
    "blackhole_from_the_cell": Fault(lambda victim: victim.proxy.cut(up=False), _mend, by_network=True),
}
