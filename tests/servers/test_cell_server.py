import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import Link, Report, open_pair
from telecell.clock import ManualClock
from telecell.contract import Command, Measurement
from telecell.errors import PlantLost
from telecell.messages import AnyReply, Grant, LoopState, Refused, Request, decode_request
from telecell.messages.events import ControlChanged, ModeChanged, Stopped
from telecell.messages.moves import MoveJointsBy, StreamJoints
from telecell.messages.queries import ReadSignals, Subscribe
from telecell.messages.replies import Controlled, Done, Queued, SignalsRead, Subscribed
from telecell.messages.settings import Power, SetTool, TakeControl
from telecell.messages.stopping import Reset, Stop
from telecell.models import load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell
from telecell.servers.cell_server import REQUESTS_PER_TICK, CellServer
from telecell.servers.outbox import MAX_WAITING

LOOP = LoopState(0.5, 3, 2)
CELL = load_cell("puma")
PERIOD_S = 0.004


class FrailPlant(FakePlant):
    """A fake plant that a test can make fail."""

    broken = False

    def step(self, command: Command) -> Measurement:
        if self.broken:
            raise PlantLost("the line is cut", where="puma")
        return super().step(command)


class Desk:
    """A cell server on a fake puma, and the other end of its link."""

    def __init__(self, ours: socket.socket, theirs: socket.socket):
        self.plant = FrailPlant(CELL)
        self.running = RunningCell(CELL, self.plant, epoch="e")
        self.clock = ManualClock(1000.0)
        self.server_link = Link(theirs, decode_request)
        self.server = CellServer(self.running, self.clock, self.server_link)
        self.link = Link(ours, msgspec.json.Decoder(Report).decode)
        self.raw = ours
        self.grant: Grant | None = None
        self._sequence = 0

    def send(self, kind: type[Request], **fields) -> None:
        self._sequence += 1
        assert self.link.send(kind(sequence=self._sequence, grant=self.grant, echo=self.running.tick, **fields))

    def tick(self, count: int = 1, period_s: float = PERIOD_S) -> Report:
        """Let ticks pass; the last report."""
        report = None
        for _ in range(count):
            self.clock.advance(period_s)
            self.server.tick(LOOP)
            report = self.link.maybe_receive()
        assert report is not None
        return report

    def ask(self, kind: type[Request], **fields) -> AnyReply:
        self.send(kind, **fields)
        (reply,) = self.tick().replies
        return reply

    def get_mode(self) -> str:
        return self.running.state().robots[0].mode

    def get_ready(self) -> None:
        """Control and power."""
        reply = self.ask(TakeControl, holder="test")
        assert isinstance(reply, Controlled)
        self.grant = reply.grant
        assert isinstance(self.ask(Power, robot="puma", on=True), Done)
        self.tick(2)
        assert self.get_mode() == "holding"


@contextmanager
def open_desk() -> Iterator[Desk]:
    ours, theirs = open_pair()
    with ours, theirs:
        yield Desk(ours, theirs)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with open_desk() as desk:
        yield desk


def test_every_tick_reports_the_state_with_the_account_of_the_loop(desk: Desk):
    for tick in (1, 2):
        report = desk.tick()
        assert (report.state.tick, report.state.loop) == (tick, LOOP)


def test_a_request_is_answered_in_the_tick_in_which_it_takes_effect(desk: Desk):
    desk.get_ready()
    desk.send(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0))
    desk.send(SetTool, tool="jaw/fingers", opening=0.0)
    report = desk.tick()
    queued, done = report.replies
    assert isinstance(queued, Queued)
    assert isinstance(done, Done)
    assert report.state.robots[0].mode == "moving"
    assert report.state.tools[0].opening_desired == 0.0


def test_what_happens_is_reported_with_the_tick_and_numbered(desk: Desk):
    desk.send(TakeControl, holder="test")
    report = desk.tick()
    (event,) = report.events
    assert event == ControlChanged(number=1, tick=0, request=1, holder="test")
    assert report.newest_event == 1
    later = desk.tick()
    assert (later.events, later.newest_event) == ((), 1)


def test_what_cannot_be_done_is_refused_with_the_reason(desk: Desk):
    refused = desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0))
    assert isinstance(refused, Refused)
    assert "nobody has control" in refused.error.text
    desk.get_ready()
    refused = desk.ask(MoveJointsBy, robot="puma", increments=(99.0, 0, 0, 0, 0, 0))
    assert isinstance(refused, Refused)
    assert desk.get_mode() == "holding"


@pytest.mark.parametrize(
    ("packet", "sequence"),
    [
        (b"", 0),
        (b"\xff\xfe", 0),
        (b"[" * 100_000, 0),
        (b'{"request": "dance", "sequence": 41}', 41),
        (b'{"request": "set_tool", "sequence": 42, "tool": "jaw/fingers", "opening": NaN}', 0),
        (b'{"request": "stop", "sequence": 43, "author": "me", "extra": 1}', 43),
    ],
)
def test_a_packet_that_is_no_request_is_refused_and_not_only_counted(desk: Desk, packet: bytes, sequence: int):
    desk.raw.send(packet)
    (reply,) = desk.tick().replies
    assert isinstance(reply, Refused)
    assert (reply.sequence, reply.error.kind) == (sequence, "MalformedRequestError")


def test_a_flood_of_requests_does_not_eat_the_period(desk: Desk):
    for _ in range(REQUESTS_PER_TICK + 5):
        desk.send(ReadSignals)
    assert len(desk.tick().replies) == REQUESTS_PER_TICK
    assert [reply.sequence for reply in desk.tick().replies] == [REQUESTS_PER_TICK + k for k in range(1, 6)]


def test_replies_wait_for_a_slow_reader_and_are_bounded(desk: Desk):
    while not desk.server_link.counts.dropped:
        desk.server.tick(LOOP)
    for _ in range(MAX_WAITING + 10):
        desk.send(ReadSignals)
        desk.server.tick(LOOP)
    assert not any(report.replies for report in iter(desk.link.maybe_receive, None))
    replies = desk.tick().replies
    assert all(isinstance(reply, SignalsRead) for reply in replies)
    assert [reply.sequence for reply in replies] == list(range(11, MAX_WAITING + 11))


def test_events_that_found_no_room_are_missed_by_number_and_can_be_asked_for(desk: Desk):
    while not desk.server_link.counts.dropped:
        desk.server.tick(LOOP)
    desk.send(TakeControl, holder="test")
    desk.server.tick(LOOP)
    assert not any(report.events for report in iter(desk.link.maybe_receive, None))
    assert desk.tick().newest_event == 1
    reply = desk.ask(Subscribe, after=0)
    assert isinstance(reply, Subscribed)
    assert [event.number for event in reply.events] == [1]


def test_a_lost_plant_stops_the_robots_and_the_server_goes_on(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0))
    desk.plant.broken = True
    desk.tick()
    report = desk.tick()
    (stopped,) = [event for event in report.events if isinstance(event, Stopped)]
    assert (stopped.cause, stopped.reason) == ("plant_lost", "puma: the line is cut")
    assert desk.tick(10).state.robots[0].mode == "stopped"

    desk.plant.broken = False
    assert isinstance(desk.ask(Reset), Done)
    assert isinstance(desk.ask(Power, robot="puma", on=True), Done)
    assert desk.tick(3).state.robots[0].mode == "holding"


def test_a_plant_slower_than_half_of_real_time_stops_what_moves(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0), speed=0.05)
    desk.tick(100)
    assert desk.get_mode() == "moving"
    report = desk.tick(200, period_s=2.5 * PERIOD_S)
    assert report.state.axes[0].stopped == "plant_slow"


def test_a_stream_is_silent_by_the_real_clock(desk: Desk):
    desk.get_ready()
    here = [axis.q_desired for axis in desk.running.state().axes]
    desk.ask(StreamJoints, robot="puma", joints=(here[0] + 1.0, *here[1:]))
    desk.tick(24)
    assert desk.get_mode() == "tracking"
    desk.tick(1, period_s=0.01)
    assert desk.get_mode() == "stopping"


def test_stop_needs_no_control(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0))
    desk.grant = None
    desk.send(Stop, author="somebody")
    report = desk.tick()
    assert any(isinstance(event, ModeChanged) and event.mode == "stopping" for event in report.events)
    assert desk.tick(300).state.robots[0].mode == "stopped"


def test_a_cell_runs_on_when_nobody_is_left(desk: Desk):
    desk.link.close()
    assert [desk.server.tick(LOOP).tick for _ in range(3)] == [1, 2, 3]


def test_a_cell_runs_without_a_link():
    server = CellServer(RunningCell(CELL, FakePlant(CELL)), ManualClock())
    assert [server.tick(LOOP).tick for _ in range(3)] == [1, 2, 3]


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_no_bytes_stop_the_cell(packets: list[bytes]):
    with open_desk() as desk:
        for packet in packets:
            desk.raw.send(packet)
        desk.send(ReadSignals)
        replies = desk.tick().replies
        assert len(replies) == len(packets) + 1
        assert isinstance(replies[-1], SignalsRead)
        assert all(math.isfinite(axis.q_desired) for axis in desk.running.state().axes)
