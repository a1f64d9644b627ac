"""Any bus behind a bad link: what it sends goes through one channel, what reaches it through another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from telecell.bus.callbacks import Once, run_callback
from telecell.bus.impairment import Channel, Impairment
from telecell.bus.interface import Bus, Inquiry
from telecell.clock import Clock

_Delivery = Callable[[], None]


class ImpairedBus:
    """A `Bus` that is joined to another one by a bad link.

    Publications, questions and answers are impaired; presence is not, since nothing that moves depends on it. Nothing
    passes by itself: `pump` delivers what is due, and `running` does so in real time.

    Args:
        bus: the bus at the other end of the link.
        clock: what the delays count on.
        up: what happens to what is sent from here: publications, questions, answers to inquiries.
        down: what happens to what comes here. Outages of both count from `start`.
        seed: of the random numbers of both directions.
    """

    def __init__(
        self, bus: Bus, clock: Clock, *, up: Impairment | None = None, down: Impairment | None = None, seed: int = 0
    ):
        self.counts = bus.counts
        self.up = Channel[_Delivery](up or Impairment(), f"{seed} up")
        self.down = Channel[_Delivery](down or Impairment(), f"{seed} down")
        self._bus = bus
        self._clock = clock
        self._started_s = 0.0
        self._open = False
        self._lock = threading.Lock()
        self._questions: dict[Once[bytes | None], float] = {}

    def start(self) -> None:
        """See `Bus`."""
        self._bus.start()
        self._started_s = self._clock.now()
        self._open = True

    def close(self) -> None:
        """See `Bus`. What is under way never arrives."""
        self._open = False
        self.cut()
        self._bus.close()
        self._give_up(lambda _: True)

    def cut(self, *, up: bool = True, down: bool = True) -> None:
        """Let nothing pass, in the given directions, until `mend`; what is under way then is lost."""
        with self._lock:
            self.up.cut |= up
            self.down.cut |= down

    def mend(self) -> None:
        """Let everything pass again."""
        with self._lock:
            self.up.cut = self.down.cut = False

    def pump(self) -> None:
        """Deliver what is due in both directions, and give up questions whose time is over."""
        now = self._now()
        for channel in (self.up, self.down):
            with self._lock:
                due = channel.take_due(now)
            for deliver in due:
                deliver()
        self._give_up(lambda deadline_s: deadline_s <= now)

    def publish(self, key: str, payload: bytes) -> None:
        """See `Bus`."""
        if not self._open:
            self._bus.publish(key, payload)  # which drops and counts it
            return
        self._put(self.up, len(payload), partial(self._bus.publish, key, payload))

    def subscribe(self, key: str, take: Callable[[str, bytes], None]) -> None:
        """See `Bus`."""

        def receive(heard: str, payload: bytes) -> None:
            self._put(self.down, len(payload), partial(run_callback, self.counts, take, heard, payload))

        self._bus.subscribe(key, receive)

    def serve(self, key: str, answer: Callable[[Inquiry], None]) -> None:
        """See `Bus`."""

        def receive(inquiry: Inquiry) -> None:
            def reply(payload: bytes) -> None:
                self._put(self.up, len(payload), partial(inquiry.reply, payload))

            far = Inquiry(inquiry.key, inquiry.payload, reply)
            self._put(self.down, len(inquiry.payload), partial(run_callback, self.counts, answer, far))

        self._bus.serve(key, receive)

    def ask(self, key: str, payload: bytes, take: Callable[[bytes | None], None], timeout_s: float) -> None:
        """See `Bus`. That nobody serves the key is heard after the way there and back."""
        if not self._open:
            self._bus.ask(key, payload, take, timeout_s)  # which nobody answers
            return
        settle = Once[bytes | None](lambda answer: run_callback(self.counts, take, answer))

        def receive(answer: bytes | None) -> None:
            self._put(self.down, len(answer or b""), partial(self._settle, settle, answer))

        with self._lock:
            self._questions[settle] = self._now() + timeout_s
        self._put(self.up, len(payload), partial(self._bus.ask, key, payload, receive, timeout_s))

    def announce(self, key: str) -> None:
        """See `Bus`."""
        self._bus.announce(key)

    def watch(self, key: str, take: Callable[[str, bool], None]) -> None:
        """See `Bus`."""
        self._bus.watch(key, take)

    def _now(self) -> float:
        return self._clock.now() - self._started_s

    def _put(self, channel: Channel[_Delivery], size: int, deliver: _Delivery) -> None:
        with self._lock:
            channel.put(self._now(), deliver, size)

    def _settle(self, settle: Once[bytes | None], answer: bytes | None) -> None:
        with self._lock:
            self._questions.pop(settle, None)
        settle(answer)

    def _give_up(self, is_over: Callable[[float], bool]) -> None:
        with self._lock:
            over = [settle for settle, deadline_s in self._questions.items() if is_over(deadline_s)]
        for settle in over:
            self._settle(settle, None)
