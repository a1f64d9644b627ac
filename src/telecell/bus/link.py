"""One end of a local message channel between two processes: ordered, bounded, and never in anybody's way."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""The longest message; a machine with small socket buffers may take less. What is too long is dropped and counted."""

Received = TypeVar("Received")


@dataclass(slots=True)
class LinkCounts:
    """What became of the messages at one end of a link, since it was opened.

    Attributes:
        dropped: not sent, because the peer is slow or gone or the message too long.
        malformed: received, but not what was agreed.
    """

    sent: int = 0
    dropped: int = 0
    received: int = 0
    malformed: int = 0


class Link(Generic[Received]):
    """Sends any struct as JSON and receives what the peer's packets decode to.

    Neither direction ever waits: a message that the peer has no room for is dropped and counted, so a stuck reader
    cannot hold up a control loop. Packets that cannot be decoded are counted and skipped.

    Args:
        end: a connected socket that keeps message boundaries (`SOCK_SEQPACKET`); the link owns it from now on.
        decode: a packet to a message, such as `msgspec.json.Decoder(Report).decode`. One that never raises, such as
            `decode_request`, has every packet handed over, so that each can be answered.
    """

    def __init__(self, end: socket.socket, decode: Callable[[memoryview], Received]):
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_MESSAGE_BYTES)
        self.counts = LinkCounts()
        self.closed = False
        self._end = end
        self._decode = decode
        self._encoder = msgspec.json.Encoder()
        self._buffer = memoryview(bytearray(MAX_MESSAGE_BYTES))

    @classmethod
    def from_fd(cls, fd: int, decode: Callable[[memoryview], Received]) -> Link[Received]:
        """The link over a file descriptor that was inherited from the parent process."""
        return cls(socket.socket(fileno=fd), decode)

    def __enter__(self) -> Link[Received]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the link; the peer sees it as closed once it has read what was sent before."""
        self.closed = True
        self._end.close()

    def fileno(self) -> int:
        """For selectors."""
        return self._end.fileno()

    def send(self, message: msgspec.Struct) -> bool:
        """Send a message if there is room for it; False means that it was dropped."""
        delivered = not self.closed and self._push(self._encoder.encode(message))
        if delivered:
            self.counts.sent += 1
        else:
            self.counts.dropped += 1
        return delivered

    def _push(self, packet: bytes) -> bool:
        if len(packet) > MAX_MESSAGE_BYTES:
            return False
        try:
            self._end.send(packet)
        except (BrokenPipeError, ConnectionResetError):
            self.closed = True
            return False
        except OSError:  # no room in the peer's queue, or more than the socket can ever take
            return False
        return True

    def maybe_receive(self) -> Received | None:
        """The next message, or None when none is waiting; then `closed` tells whether more can come."""
        while (packet := self._pull()) is not None:
            try:
                message = self._decode(packet)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # the last: nested without end
                self.counts.malformed += 1
                continue
            self.counts.received += 1
            return message
        return None

    def _pull(self) -> memoryview | None:
        if self.closed:
            return None
        try:
            size = self._end.recv_into(self._buffer)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            self.closed = True
            return None
        if size == 0 and self._peer_has_gone():
            self.closed = True
            return None
        return self._buffer[:size]

    def _peer_has_gone(self) -> bool:
        """Tells the end of the link from an empty packet: both read as no bytes."""
        poll = select.poll()
        poll.register(self._end, select.POLLIN)
        return any(flags & select.POLLHUP for _, flags in poll.poll(0))


def open_pair() -> tuple[socket.socket, socket.socket]:
    """Two connected sockets, one for each end of a link."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
