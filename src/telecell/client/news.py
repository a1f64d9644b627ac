"""The events of a cell, from publications that may be lost, and from questions for what was."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from telecell.client.event_order import EventOrder
from telecell.clock import Clock
from telecell.messages import AnyEvent, AnyReply
from telecell.messages.replies import Subscribed

NEWS_S = 1.0
"""So often the cell is asked without a gap being seen: the last event may have been lost, with none after it."""

Ask = Callable[[int, Callable[[AnyReply | None], None]], None]
"""Asks the cell for the events after a number; the function gets the reply, or None if there is none."""


class News:
    """Collects the events of one cell in their order.

    Args:
        ask: asks for what is missing.
        clock: the machine's.
    """

    def __init__(self, ask: Ask, clock: Clock):
        self._ask = ask
        self._clock = clock
        self._collected: list[AnyEvent] = []
        self.begin(0)

    def begin(self, newest: int) -> None:
        """Begin after an event; what was collected before is forgotten."""
        self._order = EventOrder(newest)
        self._collected.clear()
        self._told_lost = 0
        self._is_asking = False
        self._asked_s = self._clock.now()

    def begin_anew(self) -> None:
        """The cell came up anew: its events are numbered from one again, and the first of them are asked for."""
        self.begin(0)
        self._asked_s -= NEWS_S

    def put(self, events: Iterable[AnyEvent]) -> None:
        """Events were published."""
        self._collected += self._order.take(events)

    def maybe_ask(self) -> None:
        """Ask for what is missing, or may be."""
        now_s = self._clock.now()
        if self._is_asking or not (self._order.has_gap or now_s - self._asked_s >= NEWS_S):
            return
        self._is_asking, self._asked_s = True, now_s
        order = self._order

        def fill(reply: AnyReply | None) -> None:
            if order is not self._order:  # asked of an earlier run of the cell
                return
            self._is_asking = False
            if isinstance(reply, Subscribed):
                self._collected += order.fill(reply.events)

        self._ask(order.newest, fill)

    def take(self) -> tuple[tuple[AnyEvent, ...], bool]:
        """What was collected, and whether something is missing before it that nobody has any more."""
        events, self._collected = tuple(self._collected), []
        is_incomplete = self._order.lost > self._told_lost
        self._told_lost = self._order.lost
        return events, is_incomplete
