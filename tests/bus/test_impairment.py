import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import Channel, Impairment
from telecell.errors import InputError

shares = st.floats(0.0, 1.0)
times = st.floats(0.0, 2.0)
impairments = st.builds(
    Impairment,
    delay_s=times,
    jitter_s=times,
    loss=shares,
    duplication=shares,
    reordering=shares,
    bandwidth_bytes_s=st.none() | st.floats(1.0, 1e6),
    outages=st.lists(st.tuples(times, times).filter(lambda pair: pair[0] < pair[1]), max_size=3).map(tuple),
)
gaps = st.lists(st.floats(0.0, 0.5), max_size=60)
"""Time from one item to the next."""


def run(channel, gaps, size=100):
    """Put numbered items at these intervals, take what is due each time, and at last all the rest."""
    taken, now = [], 0.0
    for number, gap in enumerate(gaps):
        now += gap
        channel.put(now, number, size)
        taken += channel.take_due(now)
    return taken + channel.take_due(math.inf)


@given(impairments, gaps, st.integers(), st.integers(1, 50))
def test_every_item_is_delivered_or_lost_as_counted(impairment, gaps, seed, capacity):
    channel = Channel(impairment, seed, capacity)
    taken = run(channel, gaps)
    counts = channel.counts
    assert counts.put == len(gaps)
    assert counts.delivered == len(taken)
    assert counts.put + counts.duplicated == counts.delivered + counts.lost
    assert len(channel) == 0
    assert all(taken.count(number) <= 2 for number in taken)


@given(impairments, gaps, st.integers())
def test_at_any_time_what_is_missing_is_under_way(impairment, gaps, seed):
    channel = Channel(impairment, seed)
    for now, number in zip(itertools.accumulate(gaps), itertools.count(), strict=False):
        channel.put(now, number, 10)
        channel.take_due(now)
        counts = channel.counts
        assert counts.put + counts.duplicated == counts.delivered + counts.lost + len(channel)


@given(impairments.map(lambda bad: Impairment(delay_s=bad.delay_s, jitter_s=bad.jitter_s, loss=bad.loss)), gaps)
def test_without_reordering_the_order_is_kept_whatever_the_jitter(impairment, gaps):
    taken = run(Channel(impairment), gaps)
    assert taken == sorted(taken)


def test_with_reordering_some_are_overtaken():
    taken = run(Channel(Impairment(reordering=0.2)), [0.004] * 200)
    assert taken != sorted(taken)
    assert sorted(taken) == list(range(200))


@given(impairments, gaps, st.integers())
def test_the_same_seed_gives_the_same_link(impairment, gaps, seed):
    assert run(Channel(impairment, seed), gaps) == run(Channel(impairment, seed), gaps)


def test_another_seed_gives_another_link():
    half = Impairment(loss=0.5)
    assert run(Channel(half, 1), [0.0] * 100) != run(Channel(half, 2), [0.0] * 100)


@given(impairments, gaps)
def test_nothing_arrives_before_its_delay(impairment, gaps):
    channel = Channel(impairment)
    for now, number in zip(itertools.accumulate(gaps), itertools.count(), strict=False):
        channel.put(now, (now, number), 10)
        due = channel.next_due_s
        for sent, _ in channel.take_due(now):
            assert now - sent >= impairment.delay_s - 1e-9  # rounding of the sum
        assert due is None or due >= impairment.delay_s


def test_a_perfect_link_delivers_at_once():
    channel = Channel(Impairment())
    channel.put(1.0, "x", 10**6)
    assert channel.next_due_s == 1.0
    assert channel.take_due(1.0) == ["x"]
    assert channel.next_due_s is None


def test_bandwidth_lets_items_leave_one_after_the_other():
    channel = Channel(Impairment(bandwidth_bytes_s=1000.0, delay_s=0.5))
    for number in range(3):
        channel.put(0.0, number, 100)
    assert [channel.take_due(0.5 + 0.1 * turn + 1e-9) for turn in range(4)] == [[], [0], [1], [2]]


def test_what_is_sent_or_arrives_in_an_outage_is_lost():
    channel = Channel(Impairment(delay_s=0.5, outages=((1.0, 2.0),)))
    for now in (0.4, 0.6, 1.6, 2.0):
        channel.put(now, now, 1)
    assert channel.take_due(math.inf) == [0.4, 2.0]
    assert channel.counts.lost == 2


def test_a_cut_link_loses_everything_until_it_is_mended():
    channel = Channel(Impairment(delay_s=1.0))
    channel.put(0.0, "under way", 1)
    channel.cut = True
    channel.put(0.5, "sent in vain", 1)
    assert channel.take_due(1.5) == []
    channel.cut = False
    channel.put(2.0, "after", 1)
    assert channel.take_due(3.0) == ["after"]
    assert channel.counts.lost == 2


def test_a_full_link_loses_what_is_too_much():
    channel = Channel(Impairment(delay_s=1.0), capacity=2)
    for number in range(5):
        channel.put(0.0, number, 1)
    assert channel.is_full
    assert channel.take_due(1.0) == [0, 1]
    assert channel.counts.lost == 3


@pytest.mark.parametrize(
    ("wrong", "limit"),
    [
        ({"delay_s": -0.1}, "0 or more seconds"),
        ({"jitter_s": math.inf}, "0 or more seconds"),
        ({"loss": 1.1}, "0 to 1"),
        ({"duplication": math.nan}, "0 to 1"),
        ({"reordering": -1.0}, "0 to 1"),
        ({"bandwidth_bytes_s": 0.0}, "more than 0 bytes per second"),
        ({"outages": ((2.0, 1.0),)}, "pairs of a beginning and a later end"),
    ],
)
def test_what_no_link_can_do_is_refused_with_the_limit(wrong, limit):
    name = next(iter(wrong))
    with pytest.raises(InputError, match=f"{name} of a link is out of range, got .*, limit {limit}"):
        Impairment(**wrong)
