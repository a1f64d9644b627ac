"""Somebody who only watches: writes down everything that a cell says of itself."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Any

import msgspec

from soak.real.patience import Found, wait_for
from soak.real.record import MOVED, Record
from telecell.bus import Keys, ZenohBus
from telecell.client.news import News
from telecell.clock import SystemClock
from telecell.messages import AnyEvent, AnyReply, CellState
from telecell.messages.events import GrantChanged, Stopped
from telecell.messages.queries import Subscribe

SENDER = "witness"
ANSWER_TIMEOUT_S = 5.0
STEADY_TICKS = 20


class Witness:
    """A watcher of one cell, through all its runs; use it as a context.

    The threads of the bus only put bytes aside; they are read by whoever looks.

    Args:
        endpoint: where the router listens.
        keys: of the cell.

    Attributes:
        records: one for each run of the cell, the newest last.
    """

    def __init__(self, endpoint: str, keys: Keys):
        self.records: list[Record] = []
        self._bus = ZenohBus(endpoint)
        self._keys = keys
        self._mail: queue.SimpleQueue[tuple[Callable[[Any], None], bytes | None]] = queue.SimpleQueue()
        self._news = News(self._ask_for_events, SystemClock())
        self._state_decoder = msgspec.json.Decoder(CellState)
        self._events_decoder = msgspec.json.Decoder(list[AnyEvent])

    def __enter__(self) -> Witness:
        self._bus.start()
        self._bus.subscribe(self._keys.state, lambda _, payload: self._mail.put((self._take_state, payload)))
        self._bus.subscribe(self._keys.events, lambda _, payload: self._mail.put((self._take_events, payload)))
        self.wait_for(lambda: self.records, "the first state")
        return self

    def __exit__(self, *_: object) -> None:
        self._bus.close()

    @property
    def record(self) -> Record:
        """Of the present run of the cell."""
        return self.records[-1]

    # Looking

    def look(self) -> Record:
        """Write down what has come; what is missing of the events is asked for."""
        while not self._mail.empty():
            take, payload = self._mail.get()
            take(payload)
        if self.records:
            self._news.maybe_ask()
            events, has_gap = self._news.take()
            self.record.events.extend(events)
            self.record.gaps += [self.record.newest.tick] if has_gap else []
        return self.records[-1] if self.records else Record("")

    def wait_for(self, find: Callable[[], Found | None], what: str) -> Found:
        """Look until something is found in the record."""

        def look() -> Found | None:
            self.look()
            return find()

        return wait_for(look, what)

    def wait_for_change(self, change: str, tenure: int) -> GrantChanged:
        """A change of a grant."""

        def find() -> GrantChanged | None:
            changes = self.record.list_events(GrantChanged)
            return next((event for event in changes if (event.change, event.tenure) == (change, tenure)), None)

        return self.wait_for(find, f"grant {tenure} {change}")

    def wait_for_stop(self, since: int) -> Stopped:
        """The first stop since a state."""
        return self.wait_for(lambda: next(iter(self.record.list_events(Stopped, since)), None), "a stop")

    def wait_for_mode(self, *modes: str) -> CellState:
        """A state in which the first robot is in one of the modes."""
        return self.wait_for(
            lambda: self.record.newest if self.record.newest.robots[0].mode in modes else None, modes[0]
        )

    def wait_for_tick(self, tick: int) -> None:
        """Let time pass."""
        self.wait_for(lambda: self.record.newest.tick >= tick, f"tick {tick}")

    def find_steady_holder(self) -> str | None:
        """Who holds the robot, if it has moved at a constant speed for a while."""
        newest = self.record.newest
        steps = [self.record.compute_step(newest.tick - back) for back in range(STEADY_TICKS)]
        steady = max(steps) - min(steps) < MOVED and min(steps) > MOVED
        return newest.robots[0].holder if steady and newest.robots[0].mode in ("moving", "tracking") else None

    # What comes

    def _take_state(self, payload: bytes) -> None:
        state = self._state_decoder.decode(payload)
        if not self.records or self.record.epoch != state.epoch:
            self.records.append(Record(state.epoch))
            self._news.begin_anew()
        self.record.add(state)

    def _take_events(self, payload: bytes) -> None:
        self._news.put(self._events_decoder.decode(payload))

    def _ask_for_events(self, after: int, take: Callable[[AnyReply | None], None]) -> None:
        def read(answer: bytes | None) -> None:
            take(None if answer is None else msgspec.json.decode(answer, type=AnyReply))

        request = msgspec.json.encode(Subscribe(sequence=0, sender=SENDER, after=after))
        self._bus.ask(self._keys.request, request, lambda answer: self._mail.put((read, answer)), ANSWER_TIMEOUT_S)
