"""Replies on their way to a reader that may be slow."""

from __future__ import annotations

from collections import deque

import msgspec

from telecell.errors import RequestError
from telecell.messages import AnyReply, ErrorReport, Refused

MAX_WAITING = 256
"""Of a reader that never reads, the oldest replies are forgotten."""

MAX_BYTES = 256 * 1024
"""Of replies in one report: with the state it fits into the socket buffer of any Linux machine."""


class Outbox:
    """Keeps replies until they were sent: in order, as many at once as a report has room for."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[AnyReply, int]] = deque(maxlen=MAX_WAITING)
        self._encoder = msgspec.json.Encoder()

    def put(self, reply: AnyReply) -> None:
        """Have a reply sent; one that could never be sent becomes a refusal."""
        size = len(self._encoder.encode(reply))
        if size > MAX_BYTES:
            error = RequestError(
                "the reply is too long", value=f"{size} bytes", limit=f"{MAX_BYTES} bytes", remedy="Ask for less."
            )
            reply, size = Refused(reply.sequence, ErrorReport.from_error(error)), 0
        self._waiting.append((reply, size))

    def get_batch(self) -> tuple[AnyReply, ...]:
        """The oldest replies, as many as fit."""
        batch: list[AnyReply] = []
        total = 0
        for reply, size in self._waiting:
            total += size
            if total > MAX_BYTES:
                break
            batch.append(reply)
        return tuple(batch)

    def drop(self, count: int) -> None:
        """So many of the oldest were sent."""
        for _ in range(count):
            self._waiting.popleft()
