"""Events come in their order and without gaps, whatever happens to publications on their way."""

import random

from hypothesis import given
from hypothesis import strategies as st

from telecell.client.event_order import MOST_AHEAD, EventOrder
from telecell.client.news import NEWS_S, News
from telecell.clock import ManualClock
from telecell.messages.events import Warned
from telecell.messages.replies import Subscribed


def make(*numbers: int) -> list[Warned]:
    return [Warned(number=number, tick=number, reason="") for number in numbers]


def read(events) -> list[int]:
    return [event.number for event in events]


def test_events_in_order_are_handed_out_at_once():
    order = EventOrder(7)
    assert read(order.take(make(8, 9))) == [8, 9]
    assert not order.has_gap


def test_events_after_a_gap_wait_for_the_missing_ones():
    order = EventOrder()
    assert read(order.take(make(1, 4))) == [1]
    assert order.has_gap
    assert read(order.fill(make(2, 3))) == [2, 3, 4]
    assert not order.has_gap
    assert order.lost == 0


def test_what_was_handed_out_does_not_come_again():
    order = EventOrder()
    order.take(make(1, 2, 3))
    assert read(order.take(make(2, 3))) == []
    assert read(order.fill(make(1, 2, 3, 4))) == [4]


def test_what_the_cell_no_longer_has_is_counted_as_lost():
    order = EventOrder(10)
    order.take(make(50))
    assert read(order.fill(make(41, *range(42, 51)))) == list(range(41, 51))
    assert order.lost == 30


def test_stragglers_of_an_earlier_run_do_not_stand_in_the_way():
    order = EventOrder()
    order.take(make(501))
    assert read(order.fill(make(1, 2, 3))) == [1, 2, 3]
    assert read(order.take(make(4))) == [4]


def test_what_waits_is_bounded():
    order = EventOrder()
    order.take(make(*range(2, 5000)))
    assert len(order.fill(make(1))) == MOST_AHEAD + 1


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_whatever_is_lost_doubled_or_overtaken_every_event_comes_once_and_in_order(seed: int, count: int):
    chance = random.Random(seed)
    order = EventOrder()
    published = make(*range(1, count + 1))
    arriving = [event for event in published for _ in range(chance.choice((0, 1, 1, 2)))]
    chance.shuffle(arriving)
    told = []
    for event in arriving:
        told += order.take([event])
        if order.has_gap and chance.random() < 0.3:
            told += order.fill(published[order.newest : chance.randint(order.newest, count)])
    told += order.fill(published[order.newest :])
    assert read(told) == list(range(1, count + 1))
    assert order.lost == 0


class AskedCell:
    """Answers questions for events when it is told to."""

    def __init__(self, newest: int):
        self.kept = make(*range(1, newest + 1))
        self.questions = []

    def ask(self, after, take):
        self.questions.append((after, take))

    def answer(self) -> None:
        after, take = self.questions.pop()
        take(Subscribed(0, tuple(self.kept[after:]), len(self.kept), 0))


def test_a_gap_is_asked_for_at_once_and_only_once():
    cell = AskedCell(5)
    news = News(cell.ask, ManualClock())
    news.put(make(1, 5))
    news.maybe_ask()
    news.maybe_ask()
    assert len(cell.questions) == 1
    cell.answer()
    events, is_incomplete = news.take()
    assert (read(events), is_incomplete) == ([1, 2, 3, 4, 5], False)


def test_the_loss_of_the_last_event_is_noticed_after_a_while():
    cell, clock = AskedCell(3), ManualClock()
    news = News(cell.ask, clock)
    news.put(make(1, 2))
    news.maybe_ask()
    assert not cell.questions
    clock.advance(NEWS_S)
    news.maybe_ask()
    cell.answer()
    assert read(news.take()[0]) == [1, 2, 3]


def test_an_answer_of_an_earlier_run_is_left_aside():
    cell, clock = AskedCell(3), ManualClock()
    news = News(cell.ask, clock)
    news.put(make(3))
    news.maybe_ask()
    news.begin_anew()
    cell.answer()
    assert news.take() == ((), False)
    news.maybe_ask()
    assert [after for after, _ in cell.questions] == [0]


def test_a_question_without_an_answer_is_asked_again():
    cell, clock = AskedCell(3), ManualClock()
    news = News(cell.ask, clock)
    clock.advance(NEWS_S)
    news.maybe_ask()
    cell.questions.pop()[1](None)
    clock.advance(NEWS_S)
    news.maybe_ask()
    cell.answer()
    assert read(news.take()[0]) == [1, 2, 3]
