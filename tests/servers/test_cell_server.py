import socket
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import Link, Report, open_pair
from telecell.messages import AnyRequest, LoopState, MoveAxes, Reply, Request, SetTool
from telecell.runtime import RunningCell, open_cell
from telecell.servers.cell_server import MAX_PENDING_REPLIES, REQUESTS_PER_TICK, CellServer

WAIST = "puma/waist"
LOOP = LoopState(0.5, 3, 2)


class Desk:
    """A cell server on a fake puma, and the other end of its link."""

    def __init__(self, running: RunningCell, ours: socket.socket, theirs: socket.socket):
        self.running = running
        self.server_link: Link[AnyRequest] = Link(theirs, msgspec.json.Decoder(AnyRequest))
        self.server = CellServer(running, self.server_link)
        self.link = Link(ours, msgspec.json.Decoder(Report))
        self.raw = ours

    def ask(self, *requests: Request) -> None:
        for request in requests:
            assert self.link.send(request)

    def receive(self) -> Report:
        report = self.link.maybe_receive()
        assert report is not None
        return report


def build_desk() -> Iterator[Desk]:
    ours, theirs = open_pair()
    with ours, theirs:
        yield Desk(open_cell("puma", plant="fake"), ours, theirs)


@pytest.fixture
def desk() -> Iterator[Desk]:
    yield from build_desk()


def test_every_tick_reports_the_state_with_the_account_of_the_loop(desk: Desk):
    for tick in (1, 2):
        desk.server.tick(LOOP)
        report = desk.receive()
        assert (report.state.tick, report.state.loop) == (tick, LOOP)


def test_a_request_is_answered_in_the_tick_in_which_it_takes_effect(desk: Desk):
    desk.ask(MoveAxes(sequence=7, targets={WAIST: 0.5}), SetTool(sequence=8, tool="jaw/fingers", opening=0.0))
    desk.server.tick(LOOP)
    report = desk.receive()
    assert report.replies == (Reply(7), Reply(8))
    assert report.state.robots[0].moving
    assert report.state.tools[0].opening_desired == 0.0


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (MoveAxes(sequence=1, targets={"puma/nose": 0.0}), "no axis of that name, got 'puma/nose'"),
        (MoveAxes(sequence=1, targets={WAIST: 99.0}), "target outside the software limits"),
        (SetTool(sequence=1, tool="jaw/fingers", opening=2.0), "tool opening, got 2.0"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(desk: Desk, request_: Request, reason: str):
    desk.ask(request_)
    desk.server.tick(LOOP)
    (reply,) = desk.receive().replies
    assert reason in str(reply.error)
    assert not any(robot.moving for robot in desk.running.state().robots)


def test_a_flood_of_requests_does_not_eat_the_period(desk: Desk):
    desk.ask(*(MoveAxes(sequence=k, targets={WAIST: 0.0}) for k in range(REQUESTS_PER_TICK + 5)))
    desk.server.tick(LOOP)
    assert len(desk.receive().replies) == REQUESTS_PER_TICK
    desk.server.tick(LOOP)
    assert [reply.sequence for reply in desk.receive().replies] == [REQUESTS_PER_TICK + k for k in range(5)]


def test_replies_wait_for_a_slow_reader_and_are_bounded(desk: Desk):
    while not desk.server_link.counts.dropped:
        desk.server.tick(LOOP)
    asked = MAX_PENDING_REPLIES + 10
    for sequence in range(asked):
        desk.ask(MoveAxes(sequence=sequence, targets={WAIST: 0.0}))
        desk.server.tick(LOOP)
    assert not any(report.replies for report in iter(desk.link.maybe_receive, None))
    desk.server.tick(LOOP)
    assert [reply.sequence for reply in desk.receive().replies] == list(range(10, asked))


def test_a_cell_runs_on_when_nobody_is_left(desk: Desk):
    desk.link.close()
    assert [desk.server.tick(LOOP).tick for _ in range(3)] == [1, 2, 3]


def test_a_cell_runs_without_a_link():
    server = CellServer(open_cell("puma", plant="fake"))
    assert [server.tick(LOOP).tick for _ in range(3)] == [1, 2, 3]


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_no_bytes_stop_the_cell(packets: list[bytes]):
    for desk in build_desk():
        for packet in packets:
            desk.raw.send(packet)
        for tick in (1, 2):
            assert desk.server.tick(LOOP).tick == tick
        desk.ask(MoveAxes(sequence=1, targets={WAIST: 0.1}))
        desk.server.tick(LOOP)
        *_, last = iter(desk.link.maybe_receive, None)
        assert last.replies == (Reply(1),)
