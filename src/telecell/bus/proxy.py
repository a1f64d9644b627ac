"""A bad network for TCP: stands between clients and a server, and holds up what passes."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from telecell.bus.endpoints import Endpoint
from telecell.bus.impairment import Channel, Impairment
from telecell.bus.loopback import LOOPBACK
from telecell.clock import SystemClock
from telecell.errors import InputError, PortBusy

CHUNK_BYTES = 16384
MAX_CHUNKS = 1024
"""How much of one direction of a connection is under way at most; then its sender waits, as on any TCP link."""

MAX_CONNECTIONS = 64
CONNECT_TIMEOUT_S = 1.0
TURN_S = 0.002
"""How late a delivery, or the notice of a change of the settings, may be."""


class _Pipe:
    """One direction of a connection. Its end takes the same way as its bytes; a broken socket is an end, too."""

    def __init__(self, source: socket.socket, sink: socket.socket):
        self.source = source
        self.ended = False
        self.channel = Channel[bytes](Impairment(), capacity=MAX_CHUNKS)
        self._sink = sink
        self._outbox = bytearray()
        self._no_more_input = False
        self._no_more_output = False

    @property
    def wants_input(self) -> bool:
        return not (self.ended or self._no_more_input or self.channel.is_full)

    def read(self, now_s: float) -> None:
        """Take what the source has sent; no bytes are its end."""
        try:
            chunk = self.source.recv(CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._no_more_input = not chunk
        self.channel.put(now_s, chunk, len(chunk))

    def write(self, now_s: float) -> None:
        """Give the sink what is due, as far as it has room for it."""
        if not self._outbox:
            chunks = self.channel.take_due(now_s)
            self._outbox += b"".join(chunks)
            self._no_more_output |= b"" in chunks
        try:
            del self._outbox[: self._sink.send(self._outbox) if self._outbox else 0]
            if self._no_more_output and not self._outbox:
                self.ended = True
                self._sink.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            return
        except OSError:
            self.ended = True


class _Connection(NamedTuple):
    up: _Pipe
    down: _Pipe

    @classmethod
    def between(cls, client: socket.socket, server: socket.socket) -> _Connection:
        for end in (client, server):
            end.setblocking(False)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return cls(_Pipe(client, server), _Pipe(server, client))

    @property
    def ended(self) -> bool:
        return self.up.ended and self.down.ended

    def close(self) -> None:
        self.up.source.close()
        self.down.source.close()


class TcpProxy:
    """Passes TCP connections on to a target, each direction through a bad link.

    TCP itself loses nothing. So in an outage bytes are accepted, held back, and delivered when it is over, and so is
    the news that a connection has ended: both ends see a connection that is open and silent.

    Args:
        host: of the target.
        port: of the target.
        up: what happens on the way to the target.
        down: what happens on the way back. Outages of both count from `start`.
        listen_port: where to listen, on loopback; 0 for a free port.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        up: Impairment | None = None,
        down: Impairment | None = None,
        listen_port: int = 0,
    ):
        self._target = (host, port)
        self._listen_port = listen_port
        self._up = _validate(up or Impairment())
        self._down = _validate(down or Impairment())
        self._cut_up = self._cut_down = False
        self._clock = SystemClock()
        self._connections: list[_Connection] = []
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> TcpProxy:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def endpoint(self) -> str:
        """Where to connect to, once it is started."""
        return str(Endpoint(LOOPBACK, self._listen_port))

    @property
    def port(self) -> int:
        """The port to connect to, once it is started."""
        return self._listen_port

    def start(self) -> None:
        """Listen.

        Raises:
            PortBusy: another program does.
        """
        try:
            listener = socket.create_server((LOOPBACK, self._listen_port))
        except OSError as error:
            raise PortBusy(f"cannot listen there ({error.strerror})", where=self.endpoint) from None
        listener.setblocking(False)
        self._listen_port = listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run, args=(listener,), name="proxy", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all connections and listen no more; may be called again."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def set(self, *, up: Impairment | None = None, down: Impairment | None = None) -> None:
        """Change what is wrong with one or both directions, for what comes from now on.

        Raises:
            InputError: it asks for what cannot happen on TCP.
        """
        self._up = _validate(up) if up is not None else self._up
        self._down = _validate(down) if down is not None else self._down

    def cut(self, *, up: bool = True, down: bool = True) -> None:
        """Let nothing pass, in the given directions, until `mend`."""
        self._cut_up |= up
        self._cut_down |= down

    def mend(self) -> None:
        """Let everything pass again, and what was held back first."""
        self._cut_up = self._cut_down = False

    def _run(self, listener: socket.socket) -> None:
        started_s = self._clock.now()
        with listener:
            while not self._ended.is_set():
                ready = self._wait(listener)
                if listener.fileno() in ready:
                    self._accept(listener)
                self._step(self._clock.now() - started_s, ready)
        for connection in self._connections:
            connection.close()

    def _wait(self, listener: socket.socket) -> set[int]:
        """The descriptors that have something to read, after a short while at most."""
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        for pipe, _, _ in self._directions():
            if pipe.wants_input:
                poll.register(pipe.source, select.POLLIN)
        return {fd for fd, _ in poll.poll(TURN_S * 1000)}

    def _step(self, now_s: float, ready: set[int]) -> None:
        for pipe, impairment, cut in self._directions():
            pipe.channel.impairment = msgspec.structs.replace(impairment, outages=())  # which would lose bytes
            if pipe.wants_input and pipe.source.fileno() in ready:
                pipe.read(now_s)
            if not (pipe.ended or cut or impairment.is_out(now_s)):
                pipe.write(now_s)
        for connection in [connection for connection in self._connections if connection.ended]:
            self._connections.remove(connection)
            connection.close()

    def _directions(self) -> Iterator[tuple[_Pipe, Impairment, bool]]:
        for connection in self._connections:
            yield connection.up, self._up, self._cut_up
            yield connection.down, self._down, self._cut_down

    def _accept(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        server = None
        with contextlib.suppress(OSError):
            if len(self._connections) < MAX_CONNECTIONS:
                server = socket.create_connection(self._target, CONNECT_TIMEOUT_S)
        if server is None:
            client.close()
        else:
            self._connections.append(_Connection.between(client, server))


def _validate(impairment: Impairment) -> Impairment:
    for name in ("loss", "duplication", "reordering"):
        if getattr(impairment, name) > 0.0:
            raise InputError(
                f"TCP has no {name}",
                where="proxy",
                value=getattr(impairment, name),
                limit=0,
                remedy="Use delay, jitter, bandwidth and outages, or an ImpairedBus.",
            )
    return impairment
