import pytest

from telecell.bus import BusCounts, ImpairedBus, Impairment, MemoryBroker, MemoryBus, ZenohBus, open_router, running
from telecell.clock import ManualClock, SystemClock

WAY_S = 0.125  # a power of two: no rounding


class Scene:
    """A far bus, and a near one behind a bad link, on a clock that is moved by hand."""

    def __init__(self, up: Impairment, down: Impairment, seed: int = 0):
        self.clock = ManualClock(100.0)
        broker = MemoryBroker(self.clock)
        self.far = MemoryBus(broker)
        self.near = ImpairedBus(MemoryBus(broker), self.clock, up=up, down=down, seed=seed)
        self.far.start()
        self.near.start()

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.near.pump()


@pytest.fixture
def scene():
    return Scene(Impairment(delay_s=WAY_S), Impairment(delay_s=WAY_S))


def test_publications_take_the_time_of_their_direction():
    scene = Scene(up=Impairment(delay_s=0.1), down=Impairment(delay_s=0.2))
    heard = []
    scene.far.subscribe("up", lambda key, payload: heard.append((key, payload)))
    scene.near.subscribe("down", lambda key, payload: heard.append((key, payload)))
    scene.near.publish("up", b"1")
    scene.far.publish("down", b"2")
    scene.advance(0.09)
    assert heard == []
    scene.advance(0.02)
    assert heard == [("up", b"1")]
    scene.advance(0.1)
    assert heard == [("up", b"1"), ("down", b"2")]


def test_a_question_goes_up_and_its_answer_comes_down(scene):
    asked, answers = [], []

    def answer(inquiry):
        asked.append(scene.clock.now())
        inquiry.reply(b"!")

    scene.far.serve("a", answer)
    scene.near.ask("a", b"?", answers.append, 10.0)
    scene.advance(WAY_S)
    assert (len(asked), answers) == (1, [])
    scene.advance(WAY_S)
    assert answers == [b"!"]


def test_an_inquiry_comes_down_and_its_reply_goes_up(scene):
    asked, answers = [], []
    scene.near.serve("a", asked.append)
    scene.far.ask("a", b"?", answers.append, 10.0)
    assert asked == []
    scene.advance(WAY_S)
    (inquiry,) = asked
    assert (inquiry.key, inquiry.payload) == ("a", b"?")
    inquiry.reply(b"!")
    inquiry.reply(b"again")
    assert answers == []
    scene.advance(WAY_S)
    assert answers == [b"!"]


def test_that_nobody_serves_is_heard_after_both_ways(scene):
    answers = []
    scene.near.ask("a", b"", answers.append, 10.0)
    scene.advance(WAY_S)
    assert answers == []
    scene.advance(WAY_S)
    assert answers == [None]


@pytest.mark.parametrize("lost", ["question", "answer"])
def test_a_lost_question_or_answer_ends_with_its_time(lost):
    everything = Impairment(loss=1.0)
    perfect = Impairment()
    scene = Scene(*((everything, perfect) if lost == "question" else (perfect, everything)))
    answers = []
    scene.far.serve("a", lambda inquiry: inquiry.reply(b"!"))
    scene.near.ask("a", b"", answers.append, 1.0)
    scene.advance(0.9)
    assert answers == []
    scene.advance(0.2)
    scene.advance(10.0)
    assert answers == [None]


def test_a_question_that_arrives_twice_is_answered_once():
    twice = Impairment(duplication=1.0)
    scene = Scene(twice, twice)
    asked, answers = [], []

    def answer(inquiry):
        asked.append(inquiry)
        inquiry.reply(b"!")

    scene.far.serve("a", answer)
    scene.near.ask("a", b"", answers.append, 1.0)
    scene.advance(0.0)
    scene.advance(5.0)
    assert len(asked) == 2
    assert answers == [b"!"]


@pytest.mark.parametrize(("up", "down", "expected"), [(True, False, ["down"]), (False, True, ["up"]), (True, True, [])])
def test_a_cut_takes_effect_in_its_direction_until_it_is_mended(up, down, expected):
    scene = Scene(Impairment(), Impairment())
    heard = []

    def exchange():
        heard.clear()
        scene.near.publish("up", b"")
        scene.far.publish("down", b"")
        scene.advance(0.0)
        return heard

    scene.far.subscribe("up", lambda key, payload: heard.append(key))
    scene.near.subscribe("down", lambda key, payload: heard.append(key))
    assert exchange() == ["up", "down"]
    scene.near.cut(up=up, down=down)
    assert exchange() == expected
    scene.near.mend()
    assert exchange() == ["up", "down"]


def test_outages_count_from_the_start():
    scene = Scene(Impairment(outages=((1.0, 2.0),)), Impairment())
    heard = []
    scene.far.subscribe("a", lambda key, payload: heard.append(payload))
    for second in range(4):
        scene.near.publish("a", b"%d" % second)
        scene.advance(1.0)
    assert heard == [b"0", b"2", b"3"]


def test_the_same_seed_gives_the_same_bus():
    def run(seed):
        bad = Impairment(loss=0.3, jitter_s=0.02, reordering=0.3, duplication=0.1)
        scene = Scene(bad, bad, seed)
        heard = []
        scene.far.subscribe("a", lambda key, payload: heard.append(payload))
        for number in range(200):
            scene.near.publish("a", b"%d" % number)
            scene.advance(0.004)
        return heard

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_closing_ends_questions_once_and_delivers_nothing_more(scene):
    answers, heard = [], []
    scene.far.serve("a", lambda inquiry: inquiry.reply(b"!"))
    scene.far.subscribe("b", lambda key, payload: heard.append(payload))
    scene.near.ask("a", b"", answers.append, 10.0)
    scene.near.publish("b", b"")
    scene.near.close()
    scene.near.close()
    scene.advance(20.0)
    assert answers == [None]
    assert heard == []


def test_before_the_start_and_after_the_close_nothing_is_sent(scene):
    answers = []
    scene.near.close()
    scene.near.publish("a", b"")
    scene.near.ask("a", b"", answers.append, 1.0)
    assert answers == [None]
    assert scene.near.counts == BusCounts(dropped=2)


def test_presence_is_not_impaired(scene):
    seen = []
    scene.near.cut()
    scene.near.watch("alive/*", lambda key, here: seen.append((key, here)))
    scene.far.announce("alive/far")
    scene.near.announce("alive/near")
    scene.far.close()
    assert seen == [("alive/far", True), ("alive/near", True), ("alive/far", False)]


def test_a_failing_callback_is_counted(scene):
    def fail(key, payload):
        raise RuntimeError("a bug of somebody")

    scene.near.subscribe("a", fail)
    scene.far.publish("a", b"")
    scene.advance(WAY_S)
    assert scene.near.counts.failed == 1


def test_zenoh_behind_a_bad_link_runs_in_real_time(tmp_path, wait_until):
    endpoint = f"unixsock-stream/{tmp_path}/r"
    with open_router([endpoint]):
        far = ZenohBus(endpoint)
        near = ImpairedBus(
            ZenohBus(endpoint), SystemClock(), up=Impairment(loss=0.5, jitter_s=0.01), down=Impairment(duplication=0.5)
        )
        far.start()
        near.start()
        answers = []
        far.serve("a", lambda inquiry: inquiry.reply(b"!"))
        with running(near):
            wait_until(lambda: answers.count(b"!") >= 5, lambda: near.ask("a", b"", answers.append, 0.2))
        near.close()
        far.close()
        assert near.up.counts.lost > 0
