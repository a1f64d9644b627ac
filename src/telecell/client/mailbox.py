"""What the threads of the bus leave for the program's own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from telecell.clock import Clock

ROOM = 4096
"""Publications that a program has not looked at; more are dropped. Events that are missed so are asked for again."""


class Mail(NamedTuple):
    """Something for the program's thread: whom to hand it to, and what."""

    take: Callable[[Any], None]
    payload: bytes | None


class Mailbox:
    """Filled by any thread, emptied by one. Of the states only the newest is kept.

    Args:
        clock: says when a state arrived.

    Attributes:
        heard_s: when the newest state arrived.
        states: how many have arrived.
        newest_state: as it came.
    """

    def __init__(self, clock: Clock):
        self.heard_s = clock.now()
        self.states = 0
        self.newest_state = b""
        self._clock = clock
        self._changed = threading.Condition()
        self._mail: list[Mail] = []
        self._is_state_fresh = False

    def put_state(self, payload: bytes) -> None:
        """A state has arrived."""
        with self._changed:
            self.newest_state = payload
            self.states += 1
            self.heard_s = self._clock.now()
            self._is_state_fresh = True
            self._changed.notify()

    def put_publication(self, take: Callable[[Any], None], payload: bytes) -> None:
        """A publication has arrived; it is dropped if nobody has looked for a long time."""
        with self._changed:
            if len(self._mail) < ROOM:
                self._mail.append(Mail(take, payload))
                self._changed.notify()

    def put_answer(self, take: Callable[[Any], None], payload: bytes | None) -> None:
        """The answer to a question has arrived, or is known not to come. There are no more than questions."""
        with self._changed:
            self._mail.append(Mail(take, payload))
            self._changed.notify()

    @property
    def has_news(self) -> bool:
        """Whether there is anything that was not taken yet."""
        return self._is_state_fresh or bool(self._mail)

    def wait(self, timeout_s: float) -> None:
        """Return when there is something, at the latest after a time."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_news, timeout_s)

    def maybe_take_state(self) -> tuple[bytes, float, int] | None:
        """The newest state, when it arrived, and how many have; None if it was taken before."""
        with self._changed:
            if not self._is_state_fresh:
                return None
            self._is_state_fresh = False
            return self.newest_state, self.heard_s, self.states

    def take(self) -> list[Mail]:
        """Everything but the state, in the order in which it came."""
        with self._changed:
            mail, self._mail = self._mail, []
            return mail
