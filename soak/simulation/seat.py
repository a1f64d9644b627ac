"""Where one person sits, process after process, between a script and a bad link."""

from __future__ import annotations

import random
from typing import NamedTuple

import msgspec

from soak.simulation.fate import draw_person, is_within
from soak.simulation.person import Packet, Person
from soak.simulation.record import Letter
from soak.simulation.script import HOMES, Script
from telecell.bus.impairment import Channel
from telecell.messages import Renewal, Request, SetPoint
from telecell.messages.granting import Source
from telecell.messages.stopping import Stop

QUANTUM_S = 0.01
"""Step of true time."""

WAKE_S = 0.02
"""Between two turns of a process, by its own clock."""

PATHS = ("stop", "request", "stream")
"""Ways to the cell, in the order in which it empties them; nothing keeps the order between them."""

SOURCES: tuple[Source, ...] = ("program", "program", "attended", "page", "wire")
"""From which everybody's class is drawn."""


class _Held(NamedTuple):
    """Made, and not sent yet."""

    leaves_s: float
    made_s: float
    request: Request


class Seat:
    """One person: fate, links to the cell, and the process that runs at the moment.

    Args:
        number: of the person.
        seed: of everything here.
        stamped: commands carry the own clock.
    """

    def __init__(self, number: int, seed: str, *, stamped: bool):
        self._number, self._stamped = number, stamped
        self._chance = random.Random(f"{seed}/person {number}")
        self._fate = draw_person(self._chance)
        self._up = {path: Channel[Letter](self._fate.up, f"{seed}/up {number}/{path}") for path in PATHS}
        self._down = Channel[Packet](self._fate.down, f"{seed}/down {number}")
        self._processes = 0
        self._start()

    def _start(self) -> None:
        self._processes += 1
        name = f"person {self._number}"
        source = self._chance.choice(SOURCES)
        self._person = Person(name, f"{name}, process {self._processes}", source, stamped=self._stamped)
        self._steps = Script(self._person, HOMES[self._number], self._chance).run()
        self._held: list[_Held] = []
        self._woken_s = -WAKE_S
        self._crashed = False

    # The cell's side

    def take(self, path: str, now_s: float) -> list[Letter]:
        """What has reached the cell."""
        return self._up[path].take_due(now_s)

    def tell(self, packet: Packet, now_s: float) -> None:
        """Send something to the person."""
        self._down.put(now_s, packet, len(packet.payload))

    # The person's side

    def live(self, now_s: float) -> None:
        """Let the process do what it does at this moment."""
        if is_within(now_s, self._fate.crashes):
            self._crashed = True
            self._down.take_due(now_s)  # lost: nobody is there
            return
        if self._crashed:
            self._start()
        if is_within(now_s, self._fate.pauses):
            return
        self._send(now_s)
        self._person.now_s = self._fate.read_clock(now_s)
        self._person.receive(self._down.take_due(now_s))
        if self._person.view is not None and self._is_awake():
            self._wake(now_s)

    def _is_awake(self) -> bool:
        """Whether a turn is due by the own clock, which may have been set back."""
        if 0.0 <= self._person.now_s - self._woken_s < WAKE_S - 1e-9:
            return False
        self._woken_s = self._person.now_s
        return True

    def _wake(self, now_s: float) -> None:
        script_runs = not is_within(now_s, self._fate.hangs)
        if script_runs:
            next(self._steps)
        self._person.renew(script_runs=script_runs)
        leaves_s = self._find_leaving(now_s)
        self._held += [_Held(leaves_s, now_s, request) for request in self._person.take_outbox()]
        self._send(now_s)

    def _find_leaving(self, now_s: float) -> float:
        """When something made now leaves: after the pause, if one begins between making and sending."""
        ends = [end_s for begin_s, end_s in self._fate.pauses if now_s < begin_s <= now_s + WAKE_S]
        return max(ends, default=now_s)

    def _send(self, now_s: float) -> None:
        for leaves_s, made_s, request in self._held:
            if leaves_s <= now_s:
                payload = msgspec.json.encode(request)
                self._up[_choose_path(request)].put(now_s, Letter(payload, made_s), len(payload))
        self._held = [held for held in self._held if held.leaves_s > now_s]


def _choose_path(request: Request) -> str:
    if isinstance(request, Stop):
        return "stop"
    return "stream" if isinstance(request, SetPoint | Renewal) else "request"
