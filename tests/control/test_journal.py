"""Events are numbered without gaps, kept for a while, and counted when they are gone."""

from telecell.control.journal import KEPT, MOST_REFUSALS, TICKS_PER_REFUSAL, Journal
from telecell.messages import Origin, events
from telecell.messages.events import CommandRefused


def fill(count: int) -> Journal:
    journal = Journal()
    for number in range(count):
        if number % 2:
            journal.note(events.PowerChanged, on=True)
        else:
            journal.note(events.Warned, reason="a test")
    return journal


def test_events_are_numbered_from_one_without_gaps():
    assert [event.number for event in fill(5).take_fresh()] == [1, 2, 3, 4, 5]


def test_fresh_events_are_given_once():
    journal = fill(3)
    assert len(journal.take_fresh()) == 3
    assert journal.take_fresh() == ()


def test_a_client_fetches_what_it_missed():
    found, lost = fill(10).since(7, ())
    assert ([event.number for event in found], lost) == ([8, 9, 10], 0)


def test_a_client_fetches_only_the_kinds_it_wants():
    found, _ = fill(10).since(0, ("power_changed",))
    assert [event.number for event in found] == [2, 4, 6, 8, 10]


def test_what_is_gone_is_counted():
    found, lost = fill(KEPT + 25).since(10, ())
    assert (len(found), lost) == (KEPT, 15)
    assert fill(KEPT + 25).since(KEPT, ())[1] == 0


def test_a_number_from_nowhere_is_no_error():
    assert fill(3).since(-7, ()) == fill(3).since(0, ())
    assert fill(3).since(10**9, ()) == ((), 0)


def test_a_restored_journal_goes_on_counting():
    journal = fill(4)
    other = Journal()
    other.restore(journal.save())
    other.note(events.PowerChanged, on=False)
    assert other.take_fresh()[0].number == 5


def test_a_flood_of_refusals_leaves_room_for_other_events():
    journal = Journal()
    for tick in range(1000):
        journal.tick = tick
        for number in range(10):
            journal.note_refusal(Origin("flood", number), "home", "no")
    told = journal.since(0, ())[0]
    assert len(told) == MOST_REFUSALS + 999 // TICKS_PER_REFUSAL
    assert sum(event.left_out for event in told if isinstance(event, CommandRefused)) > 9000


def test_a_snapshot_in_a_flood_goes_on_with_the_same_refusals():
    journal, other = Journal(), Journal()
    for number in range(60):
        journal.note_refusal(Origin("flood", number), "home", "no")
    other.restore(journal.save())
    for one in (journal, other):
        one.tick = 3 * TICKS_PER_REFUSAL
        for number in range(5):
            one.note_refusal(Origin("flood", number), "home", "no")
    assert journal.save() == other.save()
