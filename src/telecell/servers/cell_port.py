"""A cell server's end of the bus: requests come in bounded portions, states, events and replies go out together."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from telecell.bus import MAX_MESSAGE_BYTES, Bus, Inquiry, Keys
from telecell.control.sources import SOURCES
from telecell.errors import InputError, QueueFull, RequestError, TelecellError
from telecell.messages import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    CellSetup,
    CellState,
    ErrorReport,
    MalformedRequest,
    Refused,
    Renewal,
    Request,
    SetPoint,
    decode_request,
)
from telecell.messages.granting import Acquire
from telecell.messages.stopping import Stop
from telecell.servers.inbox import Inbox

STOPS_PER_TICK = 128
ASKED_PER_TICK = 16
STREAMED_PER_TICK = 16
REQUESTS_PER_TICK = ASKED_PER_TICK + STREAMED_PER_TICK
"""Besides stops: a flood waits where it does not eat the period."""

MAX_WAITING = 256
"""On each way but that of stops, where as many wait as are taken at once."""

INSIDE = "inside"


class Incoming(NamedTuple):
    """One request from the bus, and what takes its reply; the reply goes out with the next publication."""

    request: AnyRequest | MalformedRequest
    answer: Callable[[AnyReply], None]


class Letter(NamedTuple):
    """One request as bytes; `inquiry` is the question that it came as, None for a publication."""

    payload: bytes
    inquiry: Inquiry | None = None


class Way:
    """One way for requests into the cell, with a queue of its own: none can fill up another.

    Args:
        name: of its key.
        kinds: what may come by it.
        room: how many requests may wait.
        per_tick: how many are taken at once.
    """

    def __init__(self, name: str, kinds: tuple[type, ...], room: int, per_tick: int):
        self.name = name
        self.room = room
        self.inbox: Inbox[Letter] = Inbox(room)
        self._kinds = kinds
        self._per_tick = per_tick

    def take(self) -> list[Letter]:
        """The next portion."""
        return self.inbox.take(self._per_tick)

    def validate(self, request: Request) -> None:
        """Refuse what should have come another way, or not from outside at all.

        Raises:
            RequestError: another way.
            InputError: not from outside.
        """
        if not isinstance(request, self._kinds):
            raise RequestError(
                f"this does not go by {self.name!r}",
                value=request.__struct_config__.tag,
                choices=[str(kind.__name__) for kind in self._kinds],
                remedy="Send it by 'request'.",
            )
        if isinstance(request, Acquire) and request.source == INSIDE:
            raise InputError(
                "only a program in the cell's own process can be that source",
                where="acquire",
                value=request.source,
                choices=[source for source in SOURCES if source != INSIDE],
            )


class CellPort:
    """Between the threads of the bus and the control loop.

    The callbacks of the bus only put bytes aside; everything else happens in the loop, in portions. Replies go out
    after the state that they led to: whoever has a reply and then asks elsewhere is never answered from before it.

    Args:
        bus: started.
        keys: of the cell.
    """

    def __init__(self, bus: Bus, keys: Keys):
        self._bus = bus
        self._keys = keys
        self._stops = Way("stop", (Stop,), STOPS_PER_TICK, STOPS_PER_TICK)
        self._streamed = Way("stream", (SetPoint, Renewal), MAX_WAITING, STREAMED_PER_TICK)
        self._asked = Way("request", (Request,), MAX_WAITING, ASKED_PER_TICK)
        self._unreturnable = 0
        self._replies: list[tuple[Inquiry, AnyReply]] = []
        self._batches: dict[str, list[AnyReply]] = {}
        self._newest: dict[str, bytes] = {}
        self._encoder = msgspec.json.Encoder()

    @property
    def unanswered(self) -> int:
        """How many requests got no answer: too many at once, or by publication without a sender that can be told."""
        ways = (self._stops, self._streamed, self._asked)
        return self._unreturnable + sum(way.inbox.dropped for way in ways)

    def start(self) -> None:
        """Open the cell to the bus."""
        self._bus.serve(self._keys.stop, partial(_put_inquiry, self._stops.inbox))
        self._bus.serve(self._keys.request, partial(_put_inquiry, self._asked.inbox))
        self._bus.subscribe(self._keys.stream, partial(_put_publication, self._streamed.inbox))
        self._bus.announce(self._keys.alive("server", str(os.getpid())))

    # In

    def take(self) -> list[Incoming]:
        """What the next tick has to answer: all stops first, then at most `REQUESTS_PER_TICK` others.

        What can be answered without the cell is not among it.
        """
        admitted: list[Incoming] = []
        for way in (self._stops, self._streamed, self._asked):
            for letter in way.take():
                self._admit(way, letter, admitted)
            for letter in way.inbox.take_refused():
                self._refuse_for_room(way, letter)
        return admitted

    def _admit(self, way: Way, letter: Letter, admitted: list[Incoming]) -> None:
        incoming = self._open(letter)
        if incoming is None:
            return
        try:
            if not isinstance(incoming.request, MalformedRequest):
                way.validate(incoming.request)
        except TelecellError as error:
            _refuse(incoming, error)
        else:
            admitted.append(incoming)

    def _refuse_for_room(self, way: Way, letter: Letter) -> None:
        incoming = self._open(letter)
        if incoming is not None:
            error = QueueFull(
                "too many requests wait for the cell", where=way.name, limit=way.room, remedy="Send fewer at once."
            )
            _refuse(incoming, error)

    def _open(self, letter: Letter) -> Incoming | None:
        """Decode a request; None if nobody could be answered."""
        request = decode_request(letter.payload)
        if letter.inquiry is not None:
            return Incoming(request, partial(self._keep_reply, letter.inquiry))
        try:
            key = self._keys.replies("" if isinstance(request, MalformedRequest) else request.sender)
        except InputError:
            self._unreturnable += 1
            return None
        return Incoming(request, self._batches.setdefault(key, []).append)

    def _keep_reply(self, inquiry: Inquiry, reply: AnyReply) -> None:
        self._replies.append((inquiry, reply))

    # Out

    def publish(self, state: CellState, events: tuple[AnyEvent, ...] = (), setup: CellSetup | None = None) -> None:
        """Tell the world, and answer.

        Args:
            state: after the tick.
            events: what has happened in it.
            setup: if it is to be told again.
        """
        if setup is not None:
            self._tell_newest(self._keys.setup, self._encoder.encode(setup))
        self._tell_newest(self._keys.state, self._encoder.encode(state))
        if events:
            self._bus.publish(self._keys.events, self._encoder.encode(events))
        self._answer()

    def _tell_newest(self, key: str, payload: bytes) -> None:
        """Publish, and keep for those who ask; nobody can ask before there is something."""
        is_first = key not in self._newest
        self._newest[key] = payload
        if is_first:
            self._bus.serve(key, lambda inquiry: inquiry.reply(self._newest[key]))
        self._bus.publish(key, payload)

    def _answer(self) -> None:
        replies, self._replies = self._replies, []
        batches, self._batches = self._batches, {}
        for inquiry, reply in replies:
            inquiry.reply(self._encode(reply))
        for key, batch in batches.items():
            self._bus.publish(key, self._encoder.encode(batch))

    def _encode(self, reply: AnyReply) -> bytes:
        """A reply that could never be sent becomes a refusal."""
        payload = self._encoder.encode(reply)
        if len(payload) <= MAX_MESSAGE_BYTES:
            return payload
        error = RequestError(
            "the reply is too long",
            value=f"{len(payload)} bytes",
            limit=f"{MAX_MESSAGE_BYTES} bytes",
            remedy="Ask for less.",
        )
        return self._encoder.encode(Refused(reply.sequence, ErrorReport.from_error(error)))


def _put_inquiry(inbox: Inbox[Letter], inquiry: Inquiry) -> None:
    inbox.put(Letter(inquiry.payload, inquiry))


def _put_publication(inbox: Inbox[Letter], _key: str, payload: bytes) -> None:
    inbox.put(Letter(payload))


def _refuse(incoming: Incoming, error: TelecellError) -> None:
    incoming.answer(Refused(incoming.request.sequence, ErrorReport.from_error(error)))
