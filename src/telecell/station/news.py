"""What has happened in the cell, without gaps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from telecell.bus import Report
from telecell.messages import AnyEvent, AnyReply
from telecell.messages.queries import Subscribe
from telecell.messages.replies import Subscribed
from telecell.station.commander import Commander

KEPT = 100
PATIENCE_S = 1.0
"""How long to wait for missing events before they are asked for again."""


class News:
    """Takes in the numbered events of the reports, and asks for those that were lost with a report.

    Args:
        commander: asks.
        on_event: called with every event, in their order.

    Attributes:
        recent: the newest events, oldest first.
    """

    def __init__(self, commander: Commander, on_event: Callable[[AnyEvent], None]):
        self.recent: deque[AnyEvent] = deque(maxlen=KEPT)
        self._commander = commander
        self._on_event = on_event
        self._newest = 0
        self._asked_s: float | None = None

    def take(self, report: Report, now_s: float) -> None:
        """Take in the events of a report; with a gap before them they wait for the missing ones."""
        fresh = [event for event in report.events if event.number > self._newest]
        if self._newest + len(fresh) == report.newest_event:
            self._add(fresh)
        elif self._asked_s is None or now_s - self._asked_s > PATIENCE_S:
            self._asked_s = now_s
            self._ask(report.newest_event)

    def _ask(self, newest: int) -> None:
        def fill_gap(reply: AnyReply) -> None:
            self._asked_s = None
            if isinstance(reply, Subscribed):
                self._add([event for event in reply.events if event.number > self._newest])
            self._newest = max(self._newest, newest)  # what the cell cannot give any more is given up

        self._commander.ask(Subscribe, None, fill_gap, after=self._newest)

    def _add(self, events: list[AnyEvent]) -> None:
        for event in events:
            self._newest = event.number
            self.recent.append(event)
            self._on_event(event)
