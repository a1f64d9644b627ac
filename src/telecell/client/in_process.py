"""A cell in the program's own process: it lives only while the program waits for it."""

from __future__ import annotations

from collections.abc import Mapping

from telecell.client.link import LinkState
from telecell.client.pace import Pace
from telecell.client.transport import Arrival
from telecell.clock import Clock
from telecell.messages import AnyEvent, AnyReply, AnyRequest, CellState, Grant, Query
from telecell.messages.granting import Source
from telecell.plant.cameras import Picture
from telecell.runtime import RunningCell


class InProcess:
    """Steps a running cell.

    Args:
        running: the cell.
        clock: what the cell keeps pace with; without one it runs as fast as the machine allows, in simulated time.
        sender: tells several programs apart that step one cell.
    """

    source: Source = "inside"

    def __init__(self, running: RunningCell, clock: Clock | None = None, *, sender: str = "program"):
        self.sender = sender
        self._running = running
        self._forget()
        self.period_s = running.plant.period_s
        self._clock = None if running.plant.paces else clock
        self._pace: Pace | None = None

    def start(self) -> None:
        """Begin to keep pace."""
        self._pace = Pace(self._clock, self.period_s) if self._clock else None

    @property
    def tick(self) -> int:
        """The tick at which the cell is."""
        return self._running.tick

    @property
    def time_s(self) -> float:
        """The cell's time at that tick."""
        return self._running.time_s

    def submit(self, request: AnyRequest) -> None:
        """Have a request answered: a query at once, a command by the next period."""
        if isinstance(request, Query):
            self._answers.append(self._running.answer(request))
        else:
            self._running.submit(request)

    def pump(self) -> Arrival:
        """The answers that lie ready; where there are none, one control period."""
        if self._answers or self._events:
            return self.poll()
        return Arrival(*self._step())

    def poll(self) -> Arrival:
        """The answers that lie ready."""
        arrival = Arrival(tuple(self._answers), tuple(self._events))
        self._forget()
        return arrival

    def freshen(self) -> None:
        """Step a cell that stood still while its program was busy elsewhere: its last tick is an old one."""
        if self._pace is not None and self._pace.is_late:
            replies, events = self._step()
            self._answers.extend(replies)
            self._events.extend(events)

    def _step(self) -> tuple[tuple[AnyReply, ...], tuple[AnyEvent, ...]]:
        return self._running.step(self._pace.begin_period() if self._pace else None)

    def _forget(self) -> None:
        self._answers, self._events = [], []

    def hold(self, grants: Mapping[Grant, bool]) -> None:
        """Nothing to do: a grant inside the cell's own process has no lease."""

    def state(self) -> CellState:
        """Everything about the cell at this tick."""
        return self._running.state()

    def link(self) -> LinkState:
        """No way at all."""
        return LinkState()

    def render(self, view: str, *, width: int, height: int) -> Picture:
        """A picture of the cell as it is."""
        return self._running.render(view, width=width, height=height)

    def save(self) -> bytes:
        """The complete state of the running cell."""
        return self._running.save()

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state; who has control is a matter of the present."""
        self._running.restore(snapshot)
        self._forget()

    def close(self) -> None:
        """Brake, and let the plant go."""
        self._running.close()
