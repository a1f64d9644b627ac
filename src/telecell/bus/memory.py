"""The bus inside one process: synchronous and repeatable, for simulations and for the thousands of fast tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from telecell.bus.callbacks import Once, run_callback
from telecell.bus.counts import BusCounts
from telecell.bus.interface import Inquiry
from telecell.bus.keys import matches
from telecell.bus.link import MAX_MESSAGE_BYTES
from telecell.clock import Clock, SystemClock
from telecell.errors import ServerError


@dataclass(eq=False, slots=True)
class _Listener:
    """One callback and the keys that it is for."""

    owner: MemoryBus
    pattern: str
    take: Callable[..., None]


@dataclass(eq=False, slots=True)
class _Question:
    """A question that has not been answered."""

    asker: MemoryBus
    server: MemoryBus
    deadline_s: float
    settle: Once[bytes | None]


class MemoryBroker:
    """What the buses of one process have in common. The lock guards the tables; callbacks run outside it.

    Args:
        clock: tells when a question has waited for too long. That is looked up with every publication and by `pump`.
    """

    def __init__(self, clock: Clock | None = None):
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._subscribers: list[_Listener] = []
        self._servers: list[_Listener] = []
        self._watchers: list[_Listener] = []
        self._present: dict[str, list[MemoryBus]] = {}
        self._questions: list[_Question] = []

    def pump(self) -> None:
        """Give up the questions whose time is over."""
        if not self._questions:
            return
        now = self._clock.now()
        self._give_up(lambda question: question.deadline_s <= now)

    def publish(self, key: str, payload: bytes) -> None:
        """Hand a publication to everybody who has subscribed to it."""
        self.pump()
        for listener in self._find(self._subscribers, key):
            listener.owner.counts.received += 1
            run_callback(listener.owner.counts, listener.take, key, payload)

    def subscribe(self, listener: _Listener) -> None:
        """Add one who wants publications."""
        with self._lock:
            self._subscribers.append(listener)

    def serve(self, listener: _Listener) -> None:
        """Add one who answers."""
        with self._lock:
            self._servers.append(listener)

    def ask(self, asker: MemoryBus, key: str, payload: bytes, settle: Once[bytes | None], timeout_s: float) -> None:
        """Hand a question to the first who serves its key."""
        servers = self._find(self._servers, key)
        if not servers:
            settle(None)
            return
        server = servers[0]
        question = _Question(asker, server.owner, self._clock.now() + timeout_s, settle)
        with self._lock:
            self._questions.append(question)
        server.owner.counts.received += 1
        inquiry = Inquiry(key, payload, lambda answer: self._answer(question, answer))
        run_callback(server.owner.counts, server.take, inquiry)

    def announce(self, owner: MemoryBus, key: str) -> None:
        """Add a presence and tell the watchers if it is a new one."""
        with self._lock:
            owners = self._present.setdefault(key, [])
            is_new = not owners
            if owner not in owners:
                owners.append(owner)
        if is_new:
            self._tell(key, True)

    def watch(self, listener: _Listener) -> None:
        """Add a watcher and tell it who is there."""
        with self._lock:
            self._watchers.append(listener)
            present = [key for key in self._present if matches(listener.pattern, key)]
        for key in present:
            run_callback(listener.owner.counts, listener.take, key, True)

    def leave(self, owner: MemoryBus) -> None:
        """Forget whatever a bus has declared, and end its questions and those that it has not answered."""
        with self._lock:
            for table in (self._subscribers, self._servers, self._watchers):
                table[:] = [listener for listener in table if listener.owner is not owner]
            gone = [key for key, owners in self._present.items() if owners == [owner]]
            for key in gone:
                del self._present[key]
            for owners in self._present.values():
                owners[:] = [other for other in owners if other is not owner]
        for key in gone:
            self._tell(key, False)
        self._give_up(lambda question: owner in (question.asker, question.server))

    def _answer(self, question: _Question, payload: bytes) -> None:
        with self._lock:
            if question not in self._questions:
                return
            self._questions.remove(question)
        if question.server.admit(payload):
            question.asker.counts.received += 1
            question.settle(payload)
        else:
            question.settle(None)

    def _give_up(self, is_over: Callable[[_Question], bool]) -> None:
        with self._lock:
            over = [question for question in self._questions if is_over(question)]
            self._questions = [question for question in self._questions if question not in over]
        for question in over:
            question.settle(None)

    def _tell(self, key: str, present: bool) -> None:
        for watcher in self._find(self._watchers, key):
            run_callback(watcher.owner.counts, watcher.take, key, present)

    def _find(self, table: list[_Listener], key: str) -> list[_Listener]:
        with self._lock:
            return [listener for listener in table if matches(listener.pattern, key)]


class MemoryBus:
    """A `Bus` that ends in this process: callbacks run inside the calls of those who send."""

    def __init__(self, broker: MemoryBroker):
        self.counts = BusCounts()
        self._broker = broker
        self._open = False

    def start(self) -> None:
        """Join the others at the broker."""
        self._open = True

    def close(self) -> None:
        """Leave them."""
        if self._open:
            self._open = False
            self._broker.leave(self)

    def publish(self, key: str, payload: bytes) -> None:
        """See `Bus`."""
        if self.admit(payload):
            self._broker.publish(key, payload)

    def subscribe(self, key: str, take: Callable[[str, bytes], None]) -> None:
        """See `Bus`."""
        self._broker.subscribe(self._listen(key, take))

    def serve(self, key: str, answer: Callable[[Inquiry], None]) -> None:
        """See `Bus`."""
        self._broker.serve(self._listen(key, answer))

    def ask(self, key: str, payload: bytes, take: Callable[[bytes | None], None], timeout_s: float) -> None:
        """See `Bus`."""
        settle = Once[bytes | None](lambda answer: run_callback(self.counts, take, answer))
        if self.admit(payload):
            self._broker.ask(self, key, payload, settle, timeout_s)
        else:
            settle(None)

    def announce(self, key: str) -> None:
        """See `Bus`."""
        self._validate_open(key)
        self._broker.announce(self, key)

    def watch(self, key: str, take: Callable[[str, bool], None]) -> None:
        """See `Bus`."""
        self._broker.watch(self._listen(key, take))

    def admit(self, payload: bytes) -> bool:
        """Whether a message can be sent, and count it as sent or dropped."""
        if not self._open or len(payload) > MAX_MESSAGE_BYTES:
            self.counts.dropped += 1
            return False
        self.counts.sent += 1
        return True

    def _listen(self, key: str, take: Callable[..., None]) -> _Listener:
        self._validate_open(key)
        return _Listener(self, key, take)

    def _validate_open(self, key: str) -> None:
        if not self._open:
            raise ServerError("the bus is not open", where=key, remedy="Call start() first.")
