from collections.abc import Iterator

import msgspec
import pytest

from telecell.bus import Link, Report, open_pair
from telecell.messages import AnyReply, CellState, ErrorReport, Grant, Refused, Request, decode_request
from telecell.messages.replies import Controlled, Done
from telecell.messages.settings import Power, ReleaseControl, TakeControl
from telecell.messages.stopping import Pause, Stop
from telecell.station.commander import HOLDER, MAX_PENDING, NO_ROOM, Commander

GRANT = Grant("e", 1)


def build_report(*replies: AnyReply, tick: int = 5, holder: str | None = HOLDER) -> Report:
    state = CellState("2.0", "puma", tick, 0.02, holder, (), (), (), {}, (), (), ())
    return Report(state, replies)


def refuse(sequence: int, text: str) -> Refused:
    return Refused(sequence, ErrorReport("MotionError", text, text))


class Post:
    """A commander, the cell's end of its link, and the refusals it has passed on."""

    def __init__(self, page: Link[Report], cell: Link):
        self.cell = cell
        self.refusals: list[tuple[int, str]] = []
        self.commander = Commander(page, lambda client, reason: self.refusals.append((client, reason)))

    def receive(self) -> list[Request]:
        return list(iter(self.cell.maybe_receive, None))


@pytest.fixture
def post() -> Iterator[Post]:
    page_end, cell_end = open_pair()
    with (
        Link(page_end, msgspec.json.Decoder(Report).decode) as page,
        Link(cell_end, decode_request) as cell,
    ):
        yield Post(page, cell)


def test_requests_are_numbered_and_carry_the_newest_tick(post: Post):
    post.commander.take(build_report(tick=5))
    post.commander.ask(Pause, 7, robot="puma")
    post.commander.take(build_report(tick=9))
    post.commander.ask(Power, 7, robot="puma", on=True)
    assert post.receive() == [
        Pause(sequence=1, echo=5, robot="puma"),
        Power(sequence=2, echo=9, robot="puma", on=True),
    ]


def test_the_grant_goes_along_from_take_to_release(post: Post):
    post.commander.take_control(7)
    post.commander.take(build_report(Controlled(1, GRANT)))
    post.commander.take_control(7)  # asks nothing: the page has it
    post.commander.ask(Pause, 7, robot="puma")
    post.commander.release_control(7)
    post.commander.take(build_report(Done(3), holder=None))
    post.commander.ask(Pause, 7, robot="puma")
    assert [(type(request), request.grant) for request in post.receive()] == [
        (TakeControl, None),
        (Pause, GRANT),
        (ReleaseControl, GRANT),
        (Pause, None),
    ]


def test_a_grant_that_somebody_else_has_now_is_forgotten(post: Post):
    post.commander.take_control(7)
    post.commander.take(build_report(Controlled(1, GRANT)))
    post.commander.take(build_report(holder="somebody"))
    assert post.commander.grant is None


def test_a_refusal_goes_to_who_asked(post: Post):
    post.commander.ask(Pause, 7, robot="puma")
    post.commander.ask(Pause, 8, robot="puma")
    post.commander.ask(Pause, None, robot="puma")
    post.commander.take(build_report(Done(1), refuse(2, "too far"), refuse(3, "too late")))
    assert post.refusals == [(8, "too far")]


def test_the_page_itself_learns_the_reply(post: Post):
    replies: list[AnyReply] = []
    post.commander.ask(Pause, None, replies.append, robot="puma")
    post.commander.take(build_report(Done(1), Done(1)))
    assert replies == [Done(1)], "once"


def test_a_cell_that_does_not_listen_is_a_refusal(post: Post):
    post.cell.close()
    assert not post.commander.ask(Pause, 7, robot="puma")
    assert post.refusals == [(7, NO_ROOM)]


def test_unanswered_requests_are_forgotten_in_the_end(post: Post):
    for _ in range(MAX_PENDING + 1):
        post.commander.ask(Pause, 7, robot="puma")
        post.receive()
    post.commander.take(build_report(refuse(1, "late"), refuse(2, "late")))
    assert len(post.refusals) == 1


def test_stop_is_passed_on_once_per_press_and_without_a_grant(post: Post):
    for _ in range(2):
        post.commander.press_stop()
    for _ in range(2):
        post.commander.pass_stop_on()
    assert post.receive() == [Stop(sequence=1, author=HOLDER)]


def test_stop_stays_pressed_until_there_is_room_for_it(post: Post):
    while post.commander.ask(Pause, None, robot="puma"):
        pass
    post.commander.press_stop()
    post.commander.pass_stop_on()
    assert not any(isinstance(request, Stop) for request in post.receive())
    post.commander.pass_stop_on()
    (stop,) = post.receive()
    assert isinstance(stop, Stop)
