"""The conversation with a cell: numbers requests, brings every reply to its request, and lets time pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from telecell.client.control import Control
from telecell.client.countdown import Countdown
from telecell.client.encoding import build_request
from telecell.client.listeners import Inbox, Listeners, call, raise_all
from telecell.client.pending import REPLY_TIMEOUT_S, Pending
from telecell.client.segment import MOTION_TIMEOUT_S, Segment
from telecell.client.transport import Arrival, Transport
from telecell.errors import DeadlineExceeded, InputError, QueueFull, RequestError
from telecell.messages import VERSION, AnyEvent, AnyReply, Command, Refused, Request
from telecell.messages.events import GrantChanged, ModeChanged, Outcome, SegmentEnded, Stopped
from telecell.messages.granting import Acquire
from telecell.messages.moves import Move
from telecell.messages.queries import Hello
from telecell.messages.replies import Queued

SegmentKey = tuple[str | None, int | None]
"""A robot, and the number of one of its segments."""

UNDER_WAY = frozenset({"moving", "tracking", "stopping"})
"""The modes of a robot that does not stand."""


class Session:
    """One program's conversation with one cell.

    Args:
        transport: the way to the cell; closed by `close`.

    Attributes:
        transport: the way to the cell.
        listeners: who is told of events.
        control: what the program may command.
        robots: the axes of each robot.
    """

    def __init__(self, transport: Transport):
        self.transport = transport
        self.listeners = Listeners()
        self.robots: dict[str, tuple[str, ...]] = {}
        self.control = Control(self)
        self._sequence = 0
        self._closed = False
        self._outstanding: dict[int, Pending] = {}
        self._segments: dict[SegmentKey, Segment] = {}
        self._ended_early: dict[SegmentKey, tuple[Outcome, Stopped | None]] = {}
        self._modes: dict[str, str] = {}

    def start(self) -> None:
        """Open the way to the cell, and find out whether both sides speak the same version.

        Raises:
            VersionMismatch: they do not.
        """
        self.transport.start()
        self.ask(Hello, version=VERSION)
        self._modes = self._read_modes()

    # Requests

    def send(self, kind: type[Request], **fields: Any) -> Pending:
        """Send a request, and do not wait for its reply."""
        self._validate_open()
        self._sequence += 1
        transport = self.transport
        transport.freshen()
        envelope: dict[str, Any] = {"sequence": self._sequence, "sender": transport.sender, "echo": transport.tick}
        if issubclass(kind, Command) and kind is not Acquire and "grant" not in fields:
            envelope["grant"] = self.control.choose(fields.get("robot"))
        request: Any = build_request(kind, {**envelope, **fields})
        pending = self._outstanding[request.sequence] = Pending(request, self.let_pass)
        self.transport.submit(request)
        return pending

    def ask(self, kind: type[Request], **fields: Any) -> Any:
        """Send a request and wait for its reply; a refusal is raised."""
        return self.send(kind, **fields).result()

    def forget(self, pending: Pending) -> None:
        """Wait no longer for a reply."""
        self._outstanding.pop(pending.request.sequence, None)

    # Time

    def pump(self) -> None:
        """Let time pass until something arrives, at most one control period, and see to what has arrived."""
        self._validate_open()
        self._take(self.transport.pump())

    def poll(self) -> None:
        """See to what has arrived, without letting time pass."""
        self._validate_open()
        self._take(self.transport.poll())

    def _take(self, arrival: Arrival) -> None:
        failures: list[Exception] = []
        if arrival.restarted:
            self.control.lose("the cell was restarted")
            self._begin_anew("the cell was restarted", failures)
        elif arrival.incomplete:
            self.control.compare(self.transport.state().grants)
            self._begin_anew("news of the cell were lost on the way", failures, Move)
        for reply in arrival.replies:
            call(self._deliver, failures, reply)
        self._note(arrival.events)
        self.listeners.tell(arrival.events, failures)
        raise_all(failures)

    def run(self, seconds: float) -> None:
        """Let so much of the cell's time pass.

        Raises:
            InputError: no time that can pass.
        """
        if not 0.0 <= seconds < math.inf:
            raise InputError("no time that can pass", value=seconds, limit="0 s or more", remedy="Time goes forward.")
        countdown = Countdown(self.transport, seconds - self.transport.period_s / 2)
        while countdown.left_s > 0.0:
            self.pump()

    def let_pass(self, condition: Callable[[], bool], timeout_s: float, what: str) -> Iterator[None]:
        """Let time pass, step by step, until a condition holds.

        Raises:
            DeadlineExceeded: it does not in time; nothing is ended by that.
        """
        countdown = Countdown(self.transport, timeout_s)
        while not condition():
            if countdown.left_s <= 0.0:
                raise DeadlineExceeded(
                    f"{what} has not come in time", limit=f"{timeout_s} s", remedy="The cell goes on: wait again."
                )
            self.pump()
            yield

    def wait_for(self, condition: Callable[[], bool], what: str, timeout_s: float = REPLY_TIMEOUT_S) -> None:
        """Let time pass until a condition holds."""
        for _ in self.let_pass(condition, timeout_s, what):
            pass

    def wait_until_still(
        self, robot: str | None = None, timeout_s: float = MOTION_TIMEOUT_S, *, in_control: bool = False
    ) -> None:
        """Let time pass until a robot stands, or all of them.

        Args:
            robot: which one; all of them if None.
            timeout_s: in the cell's time.
            in_control: a program that has lost control does not wait for the motion of others.

        Raises:
            NotHolder: control was lost.
        """
        robots = list(self._modes) if robot is None else [robot]
        whose = "every robot" if robot is None else f"robot {robot}"

        def stands() -> bool:
            if in_control:
                self.control.choose(robot)
            return not any(map(self._is_under_way, robots))

        self.wait_for(stands, f"the rest of {whose}", timeout_s)

    def _is_under_way(self, robot: str) -> bool:
        """Whether it moves, or is about to: the reply to a move may come before the event of the mode."""
        return self._modes[robot] in UNDER_WAY or any(name == robot for name, _ in self._segments)

    def read(self, inbox: Inbox, countdown: Countdown) -> Iterator[AnyEvent]:
        """The events of an inbox, as they come, for so much of the cell's time."""
        while True:
            while inbox.events:
                yield inbox.events.popleft()
            if inbox.lost:
                raise QueueFull("events were left out since nobody read them", value=inbox.lost)
            if countdown.left_s <= 0.0:
                return
            self.pump()

    # What arrives

    @property
    def closed(self) -> bool:
        """Whether the way to the cell was given up."""
        return self._closed

    @property
    def signature(self) -> str:
        """Who presses stop, where nobody says so."""
        return self.control.holder or "a program"

    def get_mode(self, robot: str) -> str:
        """What a robot is doing."""
        return self._modes[robot]

    def _deliver(self, reply: AnyReply) -> None:
        pending = self._outstanding.pop(reply.sequence, None)
        if pending is None:
            return
        if isinstance(reply, Refused):
            pending.fail(reply.error.to_error())
        elif isinstance(reply, Queued):
            robot: str = pending.request.robot
            pending.settle(self._open_segment(Segment(robot, reply, self.let_pass)))
        else:
            pending.settle(reply)

    def _open_segment(self, segment: Segment) -> Segment:
        key = segment.robot, segment.number
        if key in self._ended_early:
            segment.end(*self._ended_early.pop(key))
        else:
            self._segments[key] = segment
        return segment

    def _close_segment(self, event: SegmentEnded, stop: Stopped | None) -> None:
        """A segment has ended; the reply that will open it may still be under way."""
        key = event.robot, event.segment
        if key in self._segments:
            self._segments.pop(key).end(event.outcome, stop)
        elif event.sender == self.transport.sender and event.request in self._outstanding:
            self._ended_early[key] = event.outcome, stop

    def _note(self, events: tuple[AnyEvent, ...]) -> None:
        """Keep modes and segments up to date."""
        for event in events:
            if isinstance(event, ModeChanged) and event.robot is not None:
                self._modes[event.robot] = event.mode
            elif isinstance(event, GrantChanged):
                self.control.note(event)
        stop: Stopped | None = None
        for event in reversed(events):  # a stop is told right after the segments that it ends
            if isinstance(event, Stopped):
                stop = event
            elif isinstance(event, SegmentEnded):
                self._close_segment(event, stop if event.outcome == "stopped" else None)

    def _read_modes(self) -> dict[str, str]:
        return {robot.name: robot.mode for robot in self.transport.state().robots}

    # Snapshots and the end

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state; what was awaited belongs to a future that will not come."""
        self._validate_open()
        failures: list[Exception] = []
        self.transport.restore(snapshot)
        self._begin_anew("the cell went back to a saved state", failures)
        raise_all(failures)

    def close(self) -> None:
        """Let go of the cell; may be called twice."""
        self._closed = True
        failures: list[Exception] = []
        self._give_up("the cell was closed", failures)
        self.transport.close()
        raise_all(failures)

    def _begin_anew(self, reason: str, failures: list[Exception], kind: type[Request] = Request) -> None:
        """What was awaited will not come, and the modes are those of the newest state."""
        self._give_up(reason, failures, kind)
        self._modes = self._read_modes()

    def _give_up(self, reason: str, failures: list[Exception], kind: type[Request] = Request) -> None:
        """Wait no longer for the end of segments, nor for the replies to requests of a kind."""
        requests = [pending for pending in self._outstanding.values() if isinstance(pending.request, kind)]
        given_up = (*requests, *self._segments.values())
        for pending in requests:
            self.forget(pending)
        self._segments.clear()
        self._ended_early.clear()
        for awaited in given_up:
            call(awaited.fail, failures, RequestError(reason, remedy="Ask again."))

    def _validate_open(self) -> None:
        if self._closed:
            raise RequestError("the cell was closed", remedy="Open it again.")
