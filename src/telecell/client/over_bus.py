"""A cell in another process, reached over the bus."""

from __future__ import annotations

import atexit
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from telecell.bus.interface import Bus
from telecell.bus.keys import Keys
from telecell.client.decoding import EVENTS, REPLIES, REPLY, SETUP, STATE, TICK, decode, maybe_decode
from telecell.client.drawing import Drawing
from telecell.client.link import LinkMeter, LinkState
from telecell.client.mailbox import Mailbox
from telecell.client.news import News
from telecell.client.renewals import FIRST_NUMBER, Renewals, Renewing
from telecell.client.transport import Arrival
from telecell.clock import Clock, SystemClock
from telecell.errors import CellUnreachable, QueueFull, SnapshotsUnsupported, TelecellError, VersionMismatch
from telecell.messages import (
    AnyReply,
    AnyRequest,
    CellState,
    ErrorReport,
    Grant,
    Refused,
    Renewal,
    SetPoint,
)
from telecell.messages.granting import RenewGrant, Source
from telecell.messages.queries import Describe, ReadSignals, SolveForward, SolveInverse, Subscribe, Where
from telecell.messages.replies import Subscribed
from telecell.messages.stopping import Stop
from telecell.plant.cameras import Picture

SILENT_S = 2.0
"""A cell from which nothing has come for so long cannot be waited for."""

ANSWER_TIMEOUT_S = 3.0
WORKER_TIMEOUT_S = 1.0
"""A worker that is busy for so long is not waited for: the cell server can answer everything itself."""

STOP_TIMEOUT_S = 0.5
STOP_TRIES = 6
"""A stop is pressed again rather than given up: nothing happens twice by that."""

AFTER_ALL = (1 << 53) - 1
"""Asked for the events after this number, the cell says only which one is the newest."""

MOST_UNDER_WAY = 16
"""Requests, besides stops, that are asked at once: as many as the cell takes in a tick. More wait here."""

MOST_WAITING = 1000

BESIDE_THE_LOOP = (Describe, Where, SolveForward, SolveInverse, ReadSignals)
"""What the worker answers."""

_ENCODE = msgspec.json.Encoder().encode


class BusTransport:
    """Talks to a cell server and its worker.

    Only the thread that calls decodes and decides: the threads of the bus leave what arrives in a mailbox.

    Args:
        bus: not started; the transport starts and closes it.
        keys: of the cell.
        clock: the machine's.
        wait: lets so many seconds pass, or less if something arrives; by default it waits for the mailbox.
        renewing: who renews the grants.
        source: what the program is for the cell.
    """

    def __init__(
        self,
        bus: Bus,
        keys: Keys,
        clock: Clock | None = None,
        *,
        wait: Callable[[float], None] | None = None,
        renewing: Renewing = "thread",
        source: Source = "program",
    ):
        self.sender = secrets.token_hex(8)
        self.source: Source = source
        self.period_s = 0.0
        self._bus = bus
        self._keys = keys
        self._clock = clock or SystemClock()
        self._mailbox = Mailbox(self._clock)
        self._wait = wait or self._mailbox.wait
        self._renewals = Renewals(self._send_renewal, self._clock, renewing)
        self._meter = LinkMeter()
        self._state: CellState
        self._epochs: set[str] = set()
        self._under_way = 0
        self._patience_s = {
            keys.ask: WORKER_TIMEOUT_S,
            keys.request: ANSWER_TIMEOUT_S,
            keys.stop: STOP_TIMEOUT_S,
        }
        self._waiting: deque[Callable[[], None]] = deque()
        self._replies: list[AnyReply] = []
        self._restarted = False
        self._news = News(self._ask_for_events, self._clock)
        self._drawing: Drawing | None = None

    # Beginning and end

    def start(self) -> None:
        """Open the bus, and find out how things stand.

        Raises:
            CellUnreachable: nobody answers for the cell.
            VersionMismatch: what it says cannot be read.
        """
        bus, keys = self._bus, self._keys
        bus.start()
        atexit.register(self.close)  # the threads of the bus must not outlive the interpreter
        bus.subscribe(keys.state, lambda _, payload: self._mailbox.put_state(payload))
        bus.subscribe(keys.events, lambda _, payload: self._mailbox.put_publication(self._take_events, payload))
        bus.subscribe(
            keys.replies(self.sender), lambda _, payload: self._mailbox.put_publication(self._take_replies, payload)
        )
        # The events first, then the state: what happens in between is told twice rather than never.
        self._news.begin(self._fetch_newest_event())
        self.period_s = decode(SETUP, self._fetch(keys.setup), self._where).period_s
        self._state = decode(STATE, self._fetch(keys.state), self._where)
        self._epochs.add(self._state.epoch)
        bus.announce(keys.alive("client", self.sender))
        self._renewals.start()

    def close(self) -> None:
        """Leave the bus; may be called twice."""
        self._renewals.close()
        self._bus.close()
        atexit.unregister(self.close)

    def _fetch_newest_event(self) -> int:
        request = Subscribe(sequence=0, sender=self.sender, after=AFTER_ALL)
        reply = decode(REPLY, self._fetch(self._keys.request, _ENCODE(request)), self._where)
        if not isinstance(reply, Subscribed):
            raise VersionMismatch("the cell does not tell which event is the newest", where=self._where)
        return reply.newest

    def _fetch(self, key: str, question: bytes = b"") -> bytes:
        """Ask, and wait for the answer.

        Raises:
            CellUnreachable: there is none.
        """
        answers: list[bytes | None] = []
        self._question(key, question, answers.append, ANSWER_TIMEOUT_S)
        while not answers:
            self._wait(ANSWER_TIMEOUT_S)
            self._open_mail()
        if answers[0] is None:
            raise self._build_unreachable("nobody answers for the cell")
        return answers[0]

    # What is known

    @property
    def tick(self) -> int:
        """The newest tick that has arrived."""
        return self.state().tick

    @property
    def time_s(self) -> float:
        """The cell's time at that tick."""
        return self.state().time_s

    def state(self) -> CellState:
        """The newest state that has arrived."""
        mail = self._mailbox.maybe_take_state()
        if mail is not None:
            self._take_state(*mail)
        return self._state

    def link(self) -> LinkState:
        """How good the way to the cell is."""
        self.state()
        return self._meter.measure(self._clock.now() - self._mailbox.heard_s)

    # Out

    def freshen(self) -> None:
        """Nothing to do: the cell does not wait for this program."""

    def submit(self, request: AnyRequest) -> None:
        """Send a request: a stop on its own way, streams without waiting, and questions past the control loop."""
        self._renewals.touch()
        if isinstance(request, SetPoint | Renewal):
            self._bus.publish(self._keys.stream, _ENCODE(request))
        elif isinstance(request, Stop):
            self._ask(self._keys.stop, request)
        else:
            self._queue(request)

    def _queue(self, request: AnyRequest) -> None:
        """Ask as soon as there is room for it."""
        if len(self._waiting) >= MOST_WAITING:
            error = QueueFull(
                "too many requests wait to be sent",
                where=self._where,
                limit=MOST_WAITING,
                remedy="Wait for the replies to earlier ones.",
            )
            self._replies.append(Refused(request.sequence, ErrorReport.from_error(error)))
            return
        is_beside = isinstance(request, BESIDE_THE_LOOP)
        self._waiting.append(partial(self._ask, self._keys.ask if is_beside else self._keys.request, request))
        self._ask_waiting()

    def _ask_waiting(self) -> None:
        while self._waiting and self._under_way < MOST_UNDER_WAY:
            self._waiting.popleft()()

    def _ask(self, key: str, request: AnyRequest, tries: int = 1) -> None:
        self._under_way += 1
        take = partial(self._take_answer, key, request, tries, self._clock.now())
        self._question(key, _ENCODE(request), take, self._patience_s[key])

    def _question(self, key: str, question: bytes, take: Callable[[bytes | None], None], timeout_s: float) -> None:
        """Ask on the bus; the program's own thread takes the answer."""
        self._bus.ask(key, question, lambda answer: self._mailbox.put_answer(take, answer), timeout_s)

    def hold(self, grants: Mapping[Grant, bool]) -> None:
        """Renew these grants from now on, and no others."""
        self._renewals.hold(grants)

    def _send_renewal(self, renewal: RenewGrant) -> None:
        """Send a renewal, from whichever thread; the program may not have looked at the newest tick."""
        newest = maybe_decode(TICK, self._mailbox.newest_state) or self._state
        renewal = msgspec.structs.replace(renewal, sender=self.sender, echo=newest.tick)
        self._bus.publish(self._keys.stream, _ENCODE(renewal))

    # In

    def pump(self) -> Arrival:
        """Wait until something arrives, at most one control period.

        Raises:
            CellUnreachable: nothing has come from the cell for 2 s.
        """
        if not self._mailbox.has_news:
            self._wait(self.period_s)
        arrival = self.poll()
        age_s = self._clock.now() - self._mailbox.heard_s
        if age_s > SILENT_S and arrival == Arrival():
            raise self._build_unreachable(f"the cell has been silent for {age_s:.1f} s", limit=f"{SILENT_S:g} s")
        return arrival

    def poll(self) -> Arrival:
        """What has arrived."""
        self.state()
        self._open_mail()
        self._ask_waiting()
        self._renewals.touch()
        self._news.maybe_ask()
        events, incomplete = self._news.take()
        arrival = Arrival(tuple(self._replies), events, self._restarted, incomplete)
        self._replies, self._restarted = [], False
        return arrival

    def _open_mail(self) -> None:
        for take, payload in self._mailbox.take():
            take(payload)

    def _take_state(self, payload: bytes, moment_s: float, states: int) -> None:
        state = maybe_decode(STATE, payload)
        if state is None:
            return
        if state.epoch != self._state.epoch:
            if state.epoch in self._epochs:  # a straggler of an earlier run
                return
            self._begin_epoch(state.epoch)
        elif state.tick <= self._state.tick:
            return
        self._state = state
        self._meter.note_state(moment_s, state.tick, states)

    def _begin_epoch(self, epoch: str) -> None:
        """The cell came up anew."""
        self._epochs.add(epoch)
        self._restarted = True
        self._news.begin_anew()
        self._meter.forget()

    def _take_replies(self, payload: bytes) -> None:
        """Replies to set-points and renewals."""
        for reply in maybe_decode(REPLIES, payload) or ():
            if reply.sequence < FIRST_NUMBER:
                self._replies.append(reply)
            elif (round_trip_s := self._renewals.maybe_measure(reply.sequence)) is not None:
                self._meter.round_trip_s = round_trip_s

    def _take_answer(self, key: str, request: AnyRequest, tries: int, sent_s: float, answer: bytes | None) -> None:
        self._under_way -= 1
        if answer is None and key == self._keys.stop and tries < STOP_TRIES:
            self._ask(key, request, tries + 1)
            return
        reply = self._read_reply(request, answer)
        if key == self._keys.ask and _is_unreachable(reply):  # no worker, a busy one, or one that has just come
            self._ask(self._keys.request, request)
            return
        self._meter.round_trip_s = self._clock.now() - sent_s
        self._replies.append(reply)

    def _read_reply(self, request: AnyRequest, answer: bytes | None) -> AnyReply:
        try:
            if answer is None:
                raise self._build_unreachable("nobody has answered for the cell")
            return msgspec.structs.replace(decode(REPLY, answer, self._where), sequence=request.sequence)
        except TelecellError as error:
            return Refused(request.sequence, ErrorReport.from_error(error))

    def _take_events(self, payload: bytes) -> None:
        self._news.put(maybe_decode(EVENTS, payload) or ())

    def _ask_for_events(self, after: int, take: Callable[[AnyReply | None], None]) -> None:
        request = Subscribe(sequence=0, sender=self.sender, after=after)
        self._question(
            self._keys.request,
            _ENCODE(request),
            lambda answer: take(None if answer is None else maybe_decode(REPLY, answer)),
            ANSWER_TIMEOUT_S,
        )

    # Pictures and snapshots

    def render(self, view: str, *, width: int, height: int) -> Picture:
        """A picture of the cell in its newest state, drawn here from the model that the worker has of it."""
        if self._drawing is None:
            self._drawing = Drawing.fetch(lambda name: self._fetch(self._keys.model(name)))
        return self._drawing.render(self.state(), view, width=width, height=height)

    def save(self) -> bytes:
        """See `restore`."""
        raise self._build_unsaveable()

    def restore(self, snapshot: bytes) -> None:  # noqa: ARG002 - as `Transport` has it
        """Not from here.

        Raises:
            SnapshotsUnsupported: always.
        """
        raise self._build_unsaveable()

    # Errors

    @property
    def _where(self) -> str:
        return f"cell {self._keys.cell} at site {self._keys.site}"

    def _build_unreachable(self, what: str, **fields: Any) -> CellUnreachable:
        remedy = "Look with `telecell status` whether it runs; as soon as it is back, ask or wait again."
        return CellUnreachable(what, where=self._where, remedy=remedy, **fields)

    def _build_unsaveable(self) -> SnapshotsUnsupported:
        return SnapshotsUnsupported(
            "a cell in another process cannot be saved or restored from here",
            where=self._where,
            remedy="Open it in this process: telecell.open_cell.",
        )


def _is_unreachable(reply: AnyReply) -> bool:
    return isinstance(reply, Refused) and reply.error.kind == CellUnreachable.__name__
