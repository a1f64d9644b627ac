"""Somebody who visits a running cell by the real bus."""

import queue
from collections.abc import Callable

import msgspec

from telecell.bus import Keys, ZenohBus
from telecell.messages import AnyReply, CellState, Grant, Request

PATIENCE_S = 30.0
STATE_PATIENCE_S = 2.0
"""Shorter: while a process comes back, questions get lost on their way."""

SENDER = "visitor"


class Visitor:
    """Asks one thing at a time, with the newest tick that it has seen; use it as a context."""

    def __init__(self, endpoint: str, cell: str, site: str = "local"):
        self.keys = Keys(site, cell)
        self.bus = ZenohBus(endpoint)
        self.grant: Grant | None = None
        self._sequence = 0

    def __enter__(self) -> "Visitor":
        self.bus.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bus.close()

    def ask(self, kind: type[Request], **fields) -> AnyReply:
        self._sequence += 1
        tick = self.wait_for_state(lambda state: True).tick
        request = kind(sequence=self._sequence, sender=SENDER, grant=self.grant, echo=tick, **fields)
        return msgspec.json.decode(self.fetch(self.keys.request, msgspec.json.encode(request)), type=AnyReply)

    def fetch(self, key: str, payload: bytes = b"", timeout_s: float = PATIENCE_S) -> bytes:
        """The answer of whoever serves a key, as soon as somebody does."""
        answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        while True:
            self.bus.ask(key, payload, answers.put, timeout_s)
            answer = answers.get(timeout=2 * timeout_s)
            if answer is not None:
                return answer

    def wait_for_state(self, condition: Callable[[CellState], bool]) -> CellState:
        """The first state for which a condition holds."""
        while True:
            state = msgspec.json.decode(self.fetch(self.keys.state, timeout_s=STATE_PATIENCE_S), type=CellState)
            if condition(state):
                return state
