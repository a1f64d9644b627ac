"""What every bus offers, whatever carries it: publications, questions with one answer, and presence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from telecell.bus.callbacks import Once
from telecell.bus.counts import BusCounts

CLOSE_TIMEOUT_S = 2.0
"""A bus is closed after this time at the latest, whatever its engine thinks of it."""


class Inquiry:
    """One question of somebody on the bus, as it reaches the one who serves its key.

    Args:
        key: what was asked, without wildcards.
        payload: the question.
        send: what takes the answer to the asker.
    """

    def __init__(self, key: str, payload: bytes, send: Callable[[bytes], None]):
        self.key = key
        self.payload = payload
        self._send = Once(send)

    def reply(self, payload: bytes) -> None:
        """Answer, now or later, from any thread; a second answer, or one that nobody waits for, does nothing."""
        self._send(payload)


class Bus(Protocol):
    """One participant of the bus. It hears itself, too.

    Callbacks run on the bus's own threads or inside somebody's call: they store what they get and return; they never
    call back into the bus, except to answer an inquiry. One that raises is counted and does no harm.

    Nothing waits for anybody: a publication that finds no room is lost, so a late or slow reader asks for what it has
    missed. In keys to subscribe to, to serve and to watch, `*` stands for any one part between slashes.

    Before `start` and after `close` publications are dropped, questions are answered by None, and declaring
    anything raises `ServerError`.
    """

    counts: BusCounts

    def start(self) -> None:
        """Open the bus.

        Raises:
            CellUnreachable: nobody is there.
        """
        ...

    def close(self) -> None:
        """End everything that was declared and asked here, within `CLOSE_TIMEOUT_S`; may be called again."""
        ...

    def publish(self, key: str, payload: bytes) -> None:
        """Send to whoever has subscribed, without waiting; what exceeds `MAX_MESSAGE_BYTES` is dropped and counted."""
        ...

    def subscribe(self, key: str, take: Callable[[str, bytes], None]) -> None:
        """Have every publication whose key matches handed over, with its key."""
        ...

    def serve(self, key: str, answer: Callable[[Inquiry], None]) -> None:
        """Answer the questions whose key matches. Of several who serve a key one is asked."""
        ...

    def ask(self, key: str, payload: bytes, take: Callable[[bytes | None], None], timeout_s: float) -> None:
        """Ask whoever serves the key; `take` gets the answer, exactly once.

        It gets None if nobody answers: at once if nobody serves the key, when the server or this bus is closed, and
        at the latest after `timeout_s`.
        """
        ...

    def announce(self, key: str) -> None:
        """Be present under a key for as long as this bus is open and reachable. For show only: never for motion."""
        ...

    def watch(self, key: str, take: Callable[[str, bool], None]) -> None:
        """Have the keys that are present handed over with True, now and as they come, and with False as they go."""
        ...
