"""What every bus promises, shown with both of them: in memory, and zenoh with a real router on a Unix socket."""

import threading

import pytest

from telecell.bus import MAX_MESSAGE_BYTES
from telecell.errors import ServerError

FOREVER_S = 600.0


def echo(inquiry):
    inquiry.reply(b"heard " + inquiry.payload)


@pytest.fixture
def ask(wait_until):
    """Ask and wait for the answer, which comes exactly once."""

    def ask(bus, key, payload=b"", timeout_s=FOREVER_S):
        answers = []
        bus.ask(key, payload, answers.append, timeout_s)
        wait_until(lambda: answers)
        assert len(answers) == 1
        return answers[0]

    return ask


@pytest.fixture
def ask_until_served(ask, wait_until):
    def ask_until_served(bus, key, payload=b""):
        answers = [None]
        wait_until(lambda: answers[-1] is not None, lambda: answers.append(ask(bus, key, payload, 2.0)))
        return answers[-1]

    return ask_until_served


def test_publications_of_a_key_arrive_as_they_were_and_in_order(join, connect, wait_until):
    near, far = join(), join()
    heard = []
    far.subscribe("a/state", lambda key, payload: heard.append((key, payload)))
    connect(near, far)
    for number in range(200):
        near.publish("a/state", b"%d" % number)
        wait_until(lambda number=number: len(heard) > number)
    assert heard == [("a/state", b"%d" % number) for number in range(200)]


def test_a_star_stands_for_one_part_of_a_key(join, connect, wait_until):
    near, far = join(), join()
    heard = []
    far.subscribe("a/*/state", lambda key, payload: heard.append(key))
    connect(near, far)
    for key in ("a/state", "a/b/c/state", "b/x/state", "a/x/events", "a/x/state", "a/y/state"):
        near.publish(key, b"")
    wait_until(lambda: "a/y/state" in heard)
    assert heard == ["a/x/state", "a/y/state"]


def test_everybody_who_has_subscribed_hears_it_the_sender_too(join, connect, wait_until):
    near, far = join(), join()
    heard = []
    for name, bus in (("near", near), ("far", far)):
        bus.subscribe("a", lambda key, payload, name=name: heard.append(name))
    connect(near, far)
    near.publish("a", b"")
    wait_until(lambda: len(heard) == 2)
    assert sorted(heard) == ["far", "near"]


def test_a_question_is_answered(join, ask_until_served):
    near, far = join(), join()
    far.serve("a/ask", echo)
    assert ask_until_served(near, "a/ask", b"it") == b"heard it"


def test_a_pattern_can_be_served_and_the_inquiry_says_what_was_asked(join, ask_until_served):
    near, far = join(), join()
    far.serve("a/model/*", lambda inquiry: inquiry.reply(inquiry.key.encode()))
    assert ask_until_served(near, "a/model/ff00") == b"a/model/ff00"


def test_an_answer_may_come_later_from_another_thread(join, wait_until):
    near, far = join(), join()
    inquiries, answers = [], []
    far.serve("a", inquiries.append)
    wait_until(lambda: inquiries, lambda: near.ask("a", b"?", answers.append, FOREVER_S))
    answers.clear()  # those of questions that came before the server was known
    thread = threading.Thread(target=inquiries[0].reply, args=(b"!",))
    thread.start()
    thread.join()
    wait_until(lambda: b"!" in answers)


def test_only_the_first_answer_counts(join, wait_until):
    near, far = join(), join()
    inquiries, answers = [], []
    far.serve("a", inquiries.append)
    wait_until(lambda: inquiries, lambda: near.ask("a", b"?", answers.append, FOREVER_S))
    for inquiry in inquiries:
        inquiry.reply(b"first")
        inquiry.reply(b"second")
    wait_until(lambda: b"first" in answers)
    assert b"second" not in answers


def test_a_question_that_nobody_serves_ends_at_once(join, ask):
    assert ask(join(), "nobody/here") is None  # waits for much less than the time-out


def test_a_question_that_is_not_answered_ends_with_its_time(join, ask, wait_until):
    near, far = join(), join()
    inquiries = []
    far.serve("a", inquiries.append)
    wait_until(lambda: inquiries, lambda: ask(near, "a", timeout_s=0.05))
    inquiries.clear()
    assert ask(near, "a", timeout_s=0.05) is None
    inquiries[0].reply(b"too late")  # does nothing


@pytest.mark.parametrize("who", ["asker", "server"])
def test_closing_in_the_middle_ends_the_question_exactly_once(join, wait_until, who):
    near, far = join(), join()
    inquiries, answers, asked = [], [], []
    far.serve("a", inquiries.append)

    def ask_again():
        asked.append(1)
        near.ask("a", b"", answers.append, FOREVER_S)

    wait_until(lambda: inquiries, ask_again)
    (near if who == "asker" else far).close()
    wait_until(lambda: len(answers) == len(asked))
    for inquiry in inquiries:
        inquiry.reply(b"late")
    near.close()
    assert answers == [None] * len(asked)


def test_of_two_who_serve_a_key_one_answers(join, ask, ask_until_served, wait_until):
    near, first, second = join(), join(), join()
    asked = []

    def answer(inquiry):
        asked.append(inquiry)
        inquiry.reply(b"!")

    for server in (first, second):
        server.serve("a", answer)
        ask_until_served(server, "a")
    ask_until_served(near, "a")
    asked.clear()
    for _ in range(10):
        assert ask(near, "a") == b"!"
    assert len(asked) == 10


def test_a_message_of_the_largest_size_arrives(join, connect, wait_until, ask_until_served):
    near, far = join(), join()
    sizes = []
    far.subscribe("a", lambda key, payload: sizes.append(len(payload)))
    far.serve("a", lambda inquiry: inquiry.reply(bytes(MAX_MESSAGE_BYTES)))
    connect(near, far)
    wait_until(lambda: sizes, lambda: near.publish("a", bytes(MAX_MESSAGE_BYTES)))
    assert sizes[0] == MAX_MESSAGE_BYTES
    assert len(ask_until_served(near, "a")) == MAX_MESSAGE_BYTES


def test_what_is_too_large_is_dropped_and_counted(join, ask, wait_until):
    near, far = join(), join()
    too_large = bytes(MAX_MESSAGE_BYTES + 1)
    near.publish("a", too_large)
    assert near.counts.dropped == 1
    assert ask(near, "a", too_large) is None
    assert near.counts.dropped == 2
    assert near.counts.sent == 0
    far.serve("a", lambda inquiry: inquiry.reply(too_large))
    wait_until(lambda: far.counts.dropped == 1, lambda: ask(near, "a") is None)


def test_messages_are_counted_at_both_ends(join, connect, wait_until, ask_until_served):
    near, far = join(), join()
    far.subscribe("a", lambda key, payload: None)
    far.serve("a", echo)
    connect(near, far)
    ask_until_served(near, "a")
    near.counts.sent = near.counts.received = far.counts.sent = far.counts.received = 0
    near.publish("a", b"")
    ask_until_served(near, "a")
    wait_until(lambda: far.counts.received == 2)
    assert (near.counts.sent, near.counts.received, far.counts.sent) == (2, 1, 1)


def test_those_who_are_there_already_are_seen_and_those_who_come_and_go(join, wait_until):
    watcher, early, late = join(), join(), join()
    seen = []
    early.announce("alive/early")
    wait_until(lambda: seen, lambda: seen or watcher.watch("alive/*", lambda key, here: seen.append((key, here))))
    late.announce("alive/late")
    wait_until(lambda: ("alive/late", True) in seen)
    early.close()
    wait_until(lambda: ("alive/early", False) in seen)
    late.close()
    wait_until(lambda: ("alive/late", False) in seen)


def test_a_presence_under_one_key_lasts_as_long_as_any_of_its_owners(join, wait_until):
    watcher, first, second = join(), join(), join()
    seen = []
    watcher.watch("alive/*", lambda key, here: seen.append((key, here)))
    for bus, marker in ((first, "alive/1"), (second, "alive/2")):
        bus.announce("alive/both")
        bus.announce(marker)
        wait_until(lambda marker=marker: (marker, True) in seen)
    first.close()
    wait_until(lambda: ("alive/1", False) in seen)
    assert ("alive/both", False) not in seen
    second.close()
    wait_until(lambda: ("alive/both", False) in seen)


def test_a_callback_that_raises_is_counted_and_logged_once_and_the_bus_goes_on(join, connect, wait_until, caplog):
    near, far = join(), join()
    heard = []

    def fail(key, payload):
        heard.append(payload)
        raise RuntimeError("a bug of somebody")

    far.subscribe("a", fail)
    connect(near, far)
    wait_until(lambda: len(heard) >= 3, lambda: near.publish("a", b""))
    wait_until(lambda: far.counts.failed == len(heard))
    assert len(caplog.records) == 1
    assert "a bug of somebody" in caplog.text


def test_a_server_that_raises_leaves_the_asker_to_its_time_at_worst(join, wait_until, ask):
    near, far = join(), join()

    def fail(inquiry):
        raise RuntimeError("a bug of somebody")

    far.serve("a", fail)
    wait_until(lambda: far.counts.failed, lambda: ask(near, "a", timeout_s=0.05) is None)


def test_a_bus_that_is_not_open_sends_nothing_and_says_so(join, ask):
    bus = join()
    bus.close()
    bus.close()
    bus.publish("a", b"")
    assert bus.counts.dropped == 1
    assert ask(bus, "a") is None
    for declare in (bus.subscribe, bus.serve, bus.watch):
        with pytest.raises(ServerError, match="not open"):
            declare("a", print)
    with pytest.raises(ServerError, match="not open"):
        bus.announce("a")


def test_a_closed_bus_hears_nothing(join, connect, wait_until):
    near, far, witness = join(), join(), join()
    heard, witnessed = [], []
    far.subscribe("a", lambda key, payload: heard.append(payload))
    witness.subscribe("a", lambda key, payload: witnessed.append(payload))
    connect(near, far)
    connect(near, witness)
    far.close()
    wait_until(lambda: witnessed, lambda: near.publish("a", b""))
    assert heard == []


def test_each_of_many_questions_from_many_threads_ends_exactly_once(join, ask_until_served, wait_until):
    near, far = join(), join()
    far.serve("a", echo)
    ask_until_served(near, "a")
    answers = {number: [] for number in range(200)}

    def ask_for(numbers):
        for number in numbers:
            near.ask("a", b"%d" % number, answers[number].append, 0.5)

    threads = [threading.Thread(target=ask_for, args=(range(start, 200, 4),)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: all(answers.values()))
    # Nobody waits for room: in such a flood some find no room, and their answer is None.
    assert all(got in ([b"heard %d" % number], [None]) for number, got in answers.items())
    assert sum(got != [None] for got in answers.values()) > 0
