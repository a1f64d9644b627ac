"""The bus between processes and machines, carried by zenoh. The only file that knows zenoh.

The settings matter more than the code. Without them a link that was dead for 5 s delivered commands that were 4 s old,
and one frozen reader starved all others.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import zenoh

from telecell.bus.callbacks import Once, run_callback
from telecell.bus.counts import BusCounts
from telecell.bus.interface import CLOSE_TIMEOUT_S, Inquiry
from telecell.bus.keys import is_urgent
from telecell.bus.link import MAX_MESSAGE_BYTES
from telecell.errors import CellUnreachable, PortBusy, ServerError

START_TIMEOUT_S = 2.0
LEASE_S = 1.0
"""A link that is silent for so long is dead, and what was under way on it is lost: better than late."""

HEADER_BYTES = 65536
"""Room for the key and the framing around the longest payload."""

_SETTINGS = {
    "scouting/multicast/enabled": False,
    "scouting/gossip/enabled": False,
    "scouting/delay": 0,  # nothing to scout for: a router need not wait for it
    "timestamping/enabled": False,  # routers would stamp by their wall clock, which nobody here may trust
    "transport/shared_memory/enabled": False,
    "transport/link/tx/lease": round(LEASE_S * 1000),
    "transport/link/tx/queue/size/interactive_high": 16,  # batches: a burst of a tick of several cells fits
    # What is longer than 64 KiB goes in pieces, and one late piece loses it all. With zenoh's 50 ms, 3 of 60 answers of
    # 4 MiB were lost on a busy machine; so, none.
    "transport/link/tx/queue/congestion_control/drop/max_wait_before_drop_fragments": 500_000,  # us
    "transport/link/rx/max_message_size": MAX_MESSAGE_BYTES + HEADER_BYTES,
    "connect/retry": {"period_init_ms": 100, "period_max_ms": 500, "period_increase_factor": 2},
}

_QUALITY: Any = {"congestion_control": zenoh.CongestionControl.DROP, "priority": zenoh.Priority.INTERACTIVE_HIGH}
"""How everything is sent: what finds no room is lost, and nobody waits for anybody.

Not as zenoh's express messages: a link has room for 16 packets, and each of those is one. With them 2 % of the
questions that were asked 64 at a time were lost, and 177 of 88,000 states of eight cells; without them, none.
"""

_URGENT: Any = {**_QUALITY, "priority": zenoh.Priority.REAL_TIME}
"""A queue of its own on every link: of 2000 stops in a flood of questions 15 were lost without it, and none with it."""


class ZenohBus:
    """A `Bus` through a router that `open_router` has opened, in this or another process.

    When the router vanishes the bus goes on without it, and is declared anew to the next router at the same endpoint.

    Args:
        endpoint: where the router listens, such as `tcp/127.0.0.1:7447` or what `local_endpoint` says.
        timeout_s: how long `start` tries to reach it.
    """

    def __init__(self, endpoint: str, *, timeout_s: float = START_TIMEOUT_S):
        self.counts = BusCounts()
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._session: zenoh.Session | None = None
        self._declared: list[object] = []  # zenoh ends what nobody refers to
        self._questions: set[Once[bytes | None]] = set()
        self._lock = threading.Lock()

    def start(self) -> None:
        """Connect to the router.

        Raises:
            CellUnreachable: nobody answers there.
        """
        config = _build_config("client", connect=[self._endpoint], timeout_s=self._timeout_s)
        try:
            self._session = zenoh.open(config)
        except zenoh.ZError:
            raise CellUnreachable(
                f"nobody answers within {self._timeout_s:g} s",
                where=self._endpoint,
                remedy="Start the cell with `telecell up`, or look at the way to it.",
            ) from None

    def close(self) -> None:
        """See `Bus`."""
        with self._lock:
            session, self._session = self._session, None
            questions, self._questions = self._questions, set()
        if session is not None:
            _close_in_time(session)
        self._declared.clear()
        for settle in questions:
            settle(None)

    def publish(self, key: str, payload: bytes) -> None:
        """See `Bus`. On a congested link it takes 1 ms, and up to 0.5 s for payloads beyond 64 KiB."""
        session = self._admit(payload)
        if session is not None:
            self._send(partial(session.put, key, payload, **_QUALITY))

    def subscribe(self, key: str, take: Callable[[str, bytes], None]) -> None:
        """See `Bus`."""

        def receive(sample: zenoh.Sample) -> None:
            self.counts.received += 1
            run_callback(self.counts, take, str(sample.key_expr), sample.payload.to_bytes())

        self._declare(key, lambda session: session.declare_subscriber(key, _directly(receive)))

    def serve(self, key: str, answer: Callable[[Inquiry], None]) -> None:
        """See `Bus`."""

        def receive(query: zenoh.Query) -> None:
            self.counts.received += 1
            payload = query.payload.to_bytes() if query.payload is not None else b""
            run_callback(self.counts, answer, Inquiry(str(query.key_expr), payload, partial(self._reply, query)))

        # Complete: whoever serves a key can answer alone. So zenoh asks one of them, not all.
        self._declare(key, lambda session: session.declare_queryable(key, _directly(receive), complete=True))

    def ask(self, key: str, payload: bytes, take: Callable[[bytes | None], None], timeout_s: float) -> None:
        """See `Bus`."""
        settle = Once[bytes | None](lambda answer: run_callback(self.counts, take, answer))
        session = self._admit(payload)
        if session is None:
            settle(None)
            return
        with self._lock:
            self._questions.add(settle)
        ask = partial(
            session.get,
            key,
            _directly(partial(self._receive_answer, settle), partial(self._give_up, settle)),
            payload=payload,
            timeout=timeout_s,
            consolidation=zenoh.ConsolidationMode.NONE,  # the answer at once, not when all is known to be over
            **(_URGENT if is_urgent(key) else _QUALITY),
        )
        if not self._send(ask):
            self._give_up(settle)

    def announce(self, key: str) -> None:
        """See `Bus`."""
        self._declare(key, lambda session: session.liveliness().declare_token(key))

    def watch(self, key: str, take: Callable[[str, bool], None]) -> None:
        """See `Bus`."""

        def receive(sample: zenoh.Sample) -> None:
            run_callback(self.counts, take, str(sample.key_expr), sample.kind == zenoh.SampleKind.PUT)

        self._declare(
            key, lambda session: session.liveliness().declare_subscriber(key, _directly(receive), history=True)
        )

    def _admit(self, payload: bytes) -> zenoh.Session | None:
        """The session to send a message by; None if it cannot be sent, which is counted."""
        session = self._session
        if session is None or len(payload) > MAX_MESSAGE_BYTES:
            self.counts.dropped += 1
            return None
        return session

    def _send(self, send: Callable[[], object]) -> bool:
        try:
            send()
        except zenoh.ZError:  # closed by another thread in between
            self.counts.dropped += 1
            return False
        self.counts.sent += 1
        return True

    def _reply(self, query: zenoh.Query, payload: bytes) -> None:
        with query:  # lets the asker know that no more answers will come
            if self._admit(payload) is not None:
                self._send(partial(query.reply, query.key_expr, payload))

    def _receive_answer(self, settle: Once[bytes | None], reply: zenoh.Reply) -> None:
        sample = reply.ok
        if sample is not None:  # else zenoh tells that the time is over, and `_give_up` comes next
            self.counts.received += 1
            settle(sample.payload.to_bytes())

    def _give_up(self, settle: Once[bytes | None]) -> None:
        """What zenoh calls when no more answers can come."""
        with self._lock:
            self._questions.discard(settle)
        settle(None)

    def _declare(self, key: str, declare: Callable[[zenoh.Session], object]) -> None:
        session = self._session
        if session is None:
            raise ServerError("the bus is not open", where=key, remedy="Call start() first.")
        try:
            self._declared.append(declare(session))
        except zenoh.ZError as error:
            raise ServerError(f"cannot be declared: {_explain(error)}", where=key) from None


class Router:
    """What joins the buses of a cell, and the cells of sites; `open_router` opens it."""

    def __init__(self, session: zenoh.Session):
        self._session = session

    def __enter__(self) -> Router:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End it, within `CLOSE_TIMEOUT_S`; may be called again."""
        _close_in_time(self._session)


def open_router(listen: Sequence[str], *, connect: Sequence[str] = ()) -> Router:
    """Open a router.

    Args:
        listen: endpoints to listen at.
        connect: endpoints of other routers; those that are not there are tried again for ever.

    Raises:
        PortBusy: somebody else listens there.
        ServerError: nobody can listen there.
    """
    try:
        return Router(zenoh.open(_build_config("router", listen=listen, connect=connect)))
    except zenoh.ZError as error:
        where = ", ".join(listen)
        reason = _explain(error)
        if "in use" in reason or "acquire lock" in reason:  # of a port; of a Unix socket
            raise PortBusy(
                "another program listens there", where=where, remedy="End it, or listen elsewhere."
            ) from None
        raise ServerError(f"cannot listen there: {reason}", where=where) from None


def _build_config(
    mode: str, *, listen: Sequence[str] = (), connect: Sequence[str] = (), timeout_s: float | None = None
) -> zenoh.Config:
    config = zenoh.Config()
    settings = _SETTINGS | {"mode": mode, "listen/endpoints": [*listen], "connect/endpoints": [*connect]}
    if timeout_s is not None:
        settings |= {"connect/timeout_ms": round(timeout_s * 1000), "connect/exit_on_failure": True}
    for key, value in settings.items():
        config.insert_json5(key, json.dumps(value))
    return config


def _directly(call: Callable[[Any], None], end: Callable[[], None] | None = None) -> zenoh.handlers.Callback[Any]:
    """A callback on zenoh's own thread. The other way has a queue without bounds, and a thread for each callback."""
    return zenoh.handlers.Callback(call, end, indirect=False)


def _close_in_time(session: zenoh.Session) -> None:
    """Close; zenoh waits for callbacks that run, even for one that never returns, so it is left to a thread."""
    thread = threading.Thread(target=session.close, name="bus-close", daemon=True)
    thread.start()
    thread.join(CLOSE_TIMEOUT_S)


def _explain(error: zenoh.ZError) -> str:
    """What zenoh says, without the places in its source."""
    return str(error).split(" at /")[0]
