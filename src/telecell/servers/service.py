"""A process that should run as long as its supervisor does: started, and started again when it dies."""

from __future__ import annotations

import selectors
from collections.abc import Callable, Sequence

from telecell.bus import Ended
from telecell.clock import Clock
from telecell.servers.child import Child, start_child

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
GOOD_LIFE_S = 30.0
LONGEST_SILENCE_S = 10.0
"""A process that is stuck for so long is killed; it gives a sign of life every second."""


class Backoff:
    """How long to wait before a process is started again: longer each time, until it has lived well for a while."""

    def __init__(self) -> None:
        self._pause_s = FIRST_PAUSE_S

    def note_death(self, lived_s: float) -> float:
        """A process has died after so long; returns how long to wait."""
        if lived_s >= GOOD_LIFE_S:
            self._pause_s = FIRST_PAUSE_S
        pause_s = self._pause_s
        self._pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        return pause_s


class Service:
    """One kind of process of a cell, through all its lives.

    Args:
        name: for messages to people.
        module: run as `python -m module`.
        arguments: of the process.
        selector: woken up when the process says or complains about something.
        clock: for pauses.
        say: how to tell the user something.

    Attributes:
        ended: the process's account of itself, once it was stopped and has given one.
    """

    def __init__(
        self,
        name: str,
        module: str,
        arguments: Sequence[str],
        selector: selectors.BaseSelector,
        clock: Clock,
        say: Callable[[str], None],
    ):
        self.name = name
        self.ended: Ended | None = None
        self._module = module
        self._arguments = list(arguments)
        self._selector = selector
        self._clock = clock
        self._say = say
        self._backoff = Backoff()
        self._child: Child | None = None
        self._has_served = False
        self._is_back = True
        self._born_s = 0.0
        self._heard_s = 0.0
        self._due_s = 0.0

    @property
    def ready(self) -> bool:
        """Whether the process does its work."""
        return self._child is not None and self._child.ready

    @property
    def pid(self) -> int | None:
        """The number of the process; None while there is none."""
        return self._child and self._child.pid

    def start(self) -> None:
        """Start the process."""
        self._child = start_child(self.name, self._module, self._arguments)
        self._child.watch(self._selector)
        self._born_s = self._heard_s = self._clock.now()

    def tend(self) -> None:
        """Pass on what the process says, and see to it that it lives.

        Raises:
            ProcessDied: it has ended before it ever did its work: it would not do better the next time.
        """
        if self._child is None:
            if self._clock.now() >= self._due_s:
                self.start()
            return
        alive = self._child.alive  # asked first: what a dead child has said is complete then
        self._listen(self._child)
        if not alive:
            self._bury(self._child)
        elif self._child.ready:
            self._note_ready()
            self._watch_silence(self._child)

    def _listen(self, child: Child) -> None:
        signs = child.signs
        for line in child.listen():
            self._say(f"{self.name}: {line}")
        if child.signs != signs:
            self._heard_s = self._clock.now()
        self._has_served = self._has_served or child.ready

    def _note_ready(self) -> None:
        if not self._is_back:
            self._is_back = True
            self._say(f"{self.name}: running again")

    def _watch_silence(self, child: Child) -> None:
        if self._clock.now() - self._heard_s > LONGEST_SILENCE_S:
            child.kill(f"killed, since it gave no sign of life for {LONGEST_SILENCE_S:g} s")

    def _bury(self, child: Child) -> None:
        notice = child.build_death_notice()
        if not self._has_served:
            raise notice
        self._forget(child, self._clock.now())
        pause_s = self._backoff.note_death(self._clock.now() - self._born_s)
        self._due_s = self._clock.now() + pause_s
        self._is_back = False
        self._say(f"{notice}. It starts again in {pause_s:g} s.")

    def terminate(self) -> None:
        """Ask the process to end."""
        if self._child is not None:
            self._child.terminate()

    def finish(self, deadline_s: float) -> None:
        """Wait for the end of the process that was asked to; kill it at the deadline."""
        if self._child is not None:
            self.ended = self._forget(self._child, deadline_s)

    def _forget(self, child: Child, deadline_s: float) -> Ended | None:
        child.unwatch(self._selector)
        child.finish(deadline_s, self._clock)
        self._child = None
        return child.ended
