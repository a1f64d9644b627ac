"""The conversation with a cell: numbers requests, brings every reply to its request, and lets time pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from telecell.client.control import Control
from telecell.client.encoding import build_request
from telecell.client.listeners import Inbox, Listeners
from telecell.client.pending import REPLY_TIMEOUT_S, Pending
from telecell.client.segment import MOTION_TIMEOUT_S, Segment
from telecell.client.transport import Arrival, Transport
from telecell.errors import DeadlineExceeded, InputError, QueueFull, RequestError
from telecell.messages import VERSION, AnyEvent, AnyReply, Command, Refused, Request
from telecell.messages.events import GrantChanged, ModeChanged, SegmentEnded, Stopped
from telecell.messages.granting import Acquire
from telecell.messages.queries import Hello
from telecell.messages.replies import Queued

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
        self._segments: dict[tuple[str | None, int | None], Segment] = {}
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
        envelope: dict[str, Any] = {"sequence": self._sequence, "sender": self.transport.sender}
        if issubclass(kind, Command):
            envelope["echo"] = self.transport.tick
            if kind is not Acquire and "grant" not in fields:
                envelope["grant"] = self.control.choose(fields.get("robot"))
        request: Any = build_request(kind, {**envelope, **fields})
        pending = self._outstanding[request.sequence] = Pending(request, self.let_pass)
        self.transport.submit(request)
        return pending

    def ask(self, kind: type[Request], **fields: Any) -> Any:
        """Send a request and wait for its reply; a refusal is raised."""
        return self.send(kind, **fields).result()

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
        if arrival.restarted:
            self._give_up("the cell was restarted")
            self.control.lose("the cell was restarted")
            self._modes = self._read_modes()
        for reply in arrival.replies:
            self._deliver(reply)
        self._note(arrival.events)
        self.listeners.tell(arrival.events)

    def run(self, seconds: float) -> None:
        """Let so much of the cell's time pass.

        Raises:
            InputError: no time that can pass.
        """
        if not 0.0 <= seconds < math.inf:
            raise InputError("no time that can pass", value=seconds, limit="0 s or more", remedy="Time goes forward.")
        until_s = self.transport.time_s + seconds - self.transport.period_s / 2
        while self.transport.time_s < until_s:
            self.pump()

    def let_pass(self, condition: Callable[[], bool], timeout_s: float, what: str) -> Iterator[None]:
        """Let time pass, step by step, until a condition holds.

        Raises:
            DeadlineExceeded: it does not in time; nothing is ended by that.
        """
        deadline_s = self.transport.time_s + timeout_s
        while not condition():
            if self.transport.time_s >= deadline_s:
                raise DeadlineExceeded(
                    f"{what} has not come in time", limit=f"{timeout_s} s", remedy="The cell goes on: wait again."
                )
            self.pump()
            yield

    def wait_for(self, condition: Callable[[], bool], what: str, timeout_s: float = REPLY_TIMEOUT_S) -> None:
        """Let time pass until a condition holds."""
        for _ in self.let_pass(condition, timeout_s, what):
            pass

    def wait_until_still(self, robot: str | None = None, timeout_s: float = MOTION_TIMEOUT_S) -> None:
        """Let time pass until a robot stands, or all of them."""
        robots = list(self._modes) if robot is None else [robot]
        whose = "every robot" if robot is None else f"robot {robot}"
        self.wait_for(
            lambda: not any(self._modes[name] in UNDER_WAY for name in robots), f"the rest of {whose}", timeout_s
        )

    def read(self, inbox: Inbox, until_s: float) -> Iterator[AnyEvent]:
        """The events of an inbox, as they come, until a moment of the cell's time."""
        while True:
            while inbox.events:
                yield inbox.events.popleft()
            if inbox.lost:
                raise QueueFull("events were left out since nobody read them", value=inbox.lost)
            if self.transport.time_s >= until_s:
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
            segment = self._segments[robot, reply.segment] = Segment(robot, reply, self.let_pass)
            pending.settle(segment)
        else:
            pending.settle(reply)

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
                segment = self._segments.pop((event.robot, event.segment), None)
                if segment is not None:
                    segment.end(event.outcome, stop if event.outcome == "stopped" else None)

    def _read_modes(self) -> dict[str, str]:
        return {robot.name: robot.mode for robot in self.transport.state().robots}

    # Snapshots and the end

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state; what was awaited belongs to a future that will not come."""
        self._validate_open()
        self.transport.restore(snapshot)
        self._give_up("the cell went back to a saved state")
        self._modes = self._read_modes()

    def close(self) -> None:
        """Let go of the cell; may be called twice."""
        self._closed = True
        self._give_up("the cell was closed")
        self.transport.close()

    def _give_up(self, reason: str) -> None:
        for awaited in (*self._outstanding.values(), *self._segments.values()):
            awaited.fail(RequestError(reason, remedy="Ask again."))
        self._outstanding.clear()
        self._segments.clear()

    def _validate_open(self) -> None:
        if self._closed:
            raise RequestError("the cell was closed", remedy="Open it again.")
