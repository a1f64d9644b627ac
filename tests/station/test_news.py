from telecell.messages import AnyEvent
from telecell.messages.events import ModeChanged, SignalChanged
from telecell.station.news import KEPT, RESTARTED, News

from .page_bench import Bench, get_events


def build_event(number: int) -> AnyEvent:
    return SignalChanged(number=number, tick=10 * number, name=f"valve{number}", value=True)


def list_numbers(news: News) -> list[int]:
    return [line.number for line in news.recent]


def test_events_are_kept_in_words_with_their_tick():
    news = News()
    news.take([build_event(1)])
    assert news.recent == [(1, 10, "signal valve1 on")]


def test_what_the_page_shows_elsewhere_is_left_out():
    news = News()
    news.take([ModeChanged(number=1, tick=1, robot="FL", mode="off", before="holding")])
    assert news.recent == []


def test_the_past_may_come_after_the_present_and_twice():
    news = News()
    news.take([build_event(4)])
    news.take([build_event(number) for number in (1, 2, 3, 4)])
    assert list_numbers(news) == [1, 2, 3, 4]


def test_the_oldest_are_forgotten():
    news = News()
    for number in range(2 * KEPT):
        news.take([build_event(number)])
    assert list_numbers(news) == list(range(KEPT, 2 * KEPT))


def test_after_a_restart_events_are_numbered_anew():
    news = News()
    news.take([build_event(number) for number in range(1, 9)])
    news.begin_anew()
    news.take([build_event(1)])
    assert [line.text for line in news.recent] == [RESTARTED, "signal valve1 on"]


def test_a_page_that_comes_late_shows_what_has_happened_before(bench: Bench):
    program = bench.connect("calls", "program")
    program.start()
    program.control.take("ann", [], wait_s=0.0, attended=False, priority=0)
    program.control.release()
    bench.run(0.2)
    assert "ann has control" in get_events(bench)
    assert "control was given back by ann" in get_events(bench)
