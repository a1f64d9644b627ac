from collections.abc import Iterator

import msgspec
import pytest

from telecell.bus import Link, Report, open_pair
from telecell.messages import AnyEvent, AnyReply, CellState, ErrorReport, Refused, decode_request
from telecell.messages.events import SignalChanged
from telecell.messages.queries import Subscribe
from telecell.messages.replies import Subscribed
from telecell.station.commander import Commander
from telecell.station.news import PATIENCE_S, News


def build_event(number: int) -> AnyEvent:
    return SignalChanged(number=number, tick=number, name="valve", value=True)


def build_report(*numbers: int, newest: int, replies: tuple[AnyReply, ...] = ()) -> Report:
    state = CellState("2.0", "puma", 1, 0.004, None, (), (), (), {}, (), (), ())
    return Report(state, replies, tuple(build_event(number) for number in numbers), newest)


class Desk:
    """News, and the cell's end of the link on which it asks."""

    def __init__(self, page: Link[Report], cell: Link):
        self._cell = cell
        self.seen: list[int] = []
        self._commander = Commander(page, lambda *_: None)
        self.news = News(self._commander, lambda event: self.seen.append(event.number))

    def take(self, report: Report, now_s: float = 0.0) -> None:
        self._commander.take(report)
        self.news.take(report, now_s)

    def get_questions(self) -> list[int]:
        """The numbers after which events were asked for."""
        return [request.after for request in iter(self._cell.maybe_receive, None) if isinstance(request, Subscribe)]


@pytest.fixture
def desk() -> Iterator[Desk]:
    page_end, cell_end = open_pair()
    with Link(page_end, msgspec.json.Decoder(Report).decode) as page, Link(cell_end, decode_request) as cell:
        yield Desk(page, cell)


def test_events_without_gaps_are_taken_as_they_come(desk: Desk):
    desk.take(build_report(1, 2, newest=2))
    desk.take(build_report(newest=2))
    desk.take(build_report(3, newest=3))
    assert desk.seen == [event.number for event in desk.news.recent] == [1, 2, 3]
    assert desk.get_questions() == []


def test_missing_events_are_asked_for_once_and_come_in_order(desk: Desk):
    desk.take(build_report(1, newest=1))
    desk.take(build_report(4, newest=4))
    desk.take(build_report(newest=4))
    assert desk.seen == [1]
    assert desk.get_questions() == [1]
    answer = Subscribed(1, tuple(build_event(number) for number in (2, 3, 4)), newest=4, lost=0)
    desk.take(build_report(5, newest=5, replies=(answer,)))
    assert desk.seen == [1, 2, 3, 4, 5]


def test_a_loss_is_noticed_even_when_nothing_more_happens(desk: Desk):
    desk.take(build_report(newest=3))
    assert desk.get_questions() == [0]


def test_events_that_the_cell_no_longer_has_are_given_up(desk: Desk):
    desk.take(build_report(2000, newest=2000))
    answer = Subscribed(1, (build_event(1500), build_event(2000)), newest=2000, lost=1499)
    desk.take(build_report(newest=2000, replies=(answer,)))
    assert desk.seen == [1500, 2000]
    desk.take(build_report(2001, newest=2001))
    assert desk.seen[-1] == 2001


def test_events_that_cannot_be_had_are_given_up_and_later_ones_are_taken(desk: Desk):
    desk.take(build_report(newest=3))
    refused = Refused(1, ErrorReport("RequestError", "too long", "too long"))
    desk.take(build_report(4, newest=4, replies=(refused,)))
    assert desk.seen == [4]


def test_a_question_without_an_answer_is_asked_again_after_a_while(desk: Desk):
    for now_s in (0.0, PATIENCE_S / 2, 2 * PATIENCE_S):
        desk.take(build_report(newest=3), now_s)
    assert desk.get_questions() == [0, 0]
