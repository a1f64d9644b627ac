"""Those who wait come to their turn in order, as long as they go on asking."""

import numpy as np
import pytest

from soak.operator import Operator
from telecell.control.waiting import MAX_WAITING, WaitingList
from telecell.errors import QueueFull
from telecell.messages import granting, replies
from telecell.messages.granting import Acquire

from .people import Person, get_kind, list_changes, list_holders

LEFT = np.array([True, True, False, False])
RIGHT = ~LEFT
BOTH = LEFT | RIGHT


def ask(name: str, priority: int = 0) -> Acquire:
    return Acquire(sequence=1, sender=name, holder=name, priority=priority)


def fill(*names: str, mask: np.ndarray = BOTH) -> WaitingList:
    waiting = WaitingList()
    for number, name in enumerate(names):
        waiting.keep(ask(name), mask, float(number))
    return waiting


def list_names(waiting: WaitingList) -> list[str]:
    return [waiter.holder for waiter in waiting]


# Order


def test_who_asked_first_comes_first_and_keeps_the_place_by_asking_again():
    waiting = fill("Ada", "Bob")
    _, joined = waiting.keep(ask("Ada"), BOTH, 5.0)
    assert not joined
    assert list_names(waiting) == ["Ada", "Bob"]


def test_a_higher_priority_comes_first():
    waiting = fill("Ada", "Bob")
    waiting.keep(ask("Cyd", priority=1), BOTH, 9.0)
    assert list_names(waiting) == ["Cyd", "Ada", "Bob"]


def test_a_place_counts_only_those_who_want_one_of_the_same_axes():
    waiting = fill("Ada", "Bob", mask=LEFT)
    waiter, _ = waiting.keep(ask("Cyd"), RIGHT, 9.0)
    assert waiting.get_place(waiter) == 1
    waiter, _ = waiting.keep(ask("Dan"), BOTH, 10.0)
    assert waiting.get_place(waiter) == 4


def test_a_newcomer_comes_after_those_who_wait_unless_the_priority_is_higher():
    waiting = fill("Ada")
    for priority, before in ((-1, "Ada"), (0, "Ada"), (1, None)):
        found = waiting.find_before("Bob", priority, LEFT)
        assert (found and found.holder) == before


def test_whoever_is_named_by_a_hand_over_comes_before_every_priority():
    waiting = fill("Ada", "Bob")
    waiting.reserve(next(waiter for waiter in waiting if waiter.holder == "Bob"))
    assert list_names(waiting) == ["Bob", "Ada"]
    found = waiting.find_before("Cyd", 99, LEFT)
    assert found is not None
    assert found.holder == "Bob"


def test_a_place_for_some_axes_is_no_place_for_more():
    waiting = fill("Ada", mask=RIGHT)
    waiting.keep(ask("Bob"), LEFT, 1.0)
    assert waiting.find_before("Bob", 0, LEFT) is None
    found = waiting.find_before("Bob", 0, BOTH)
    assert found is not None
    assert found.holder == "Ada"


def test_the_queue_is_bounded_and_a_supervisor_still_finds_room():
    waiting = fill(*(f"person {number}" for number in range(MAX_WAITING)))
    with pytest.raises(QueueFull, match=str(MAX_WAITING)):
        waiting.keep(ask("Ada", priority=9), BOTH, 99.0)
    displaced = waiting.put_first("Eve", "Eve", BOTH, 99.0)
    assert displaced is not None
    assert displaced.holder == f"person {MAX_WAITING - 1}"
    assert len(waiting) == MAX_WAITING
    assert list_names(waiting)[0] == "Eve"


# In a cell


def test_the_grant_is_the_answer_to_the_question_of_whoever_comes_next(free_puma: Operator):
    ada, bob, cyd = (Person(free_puma, name) for name in ("Ada", "Bob", "Cyd"))
    ada.acquire()
    assert [reply.place for reply in (bob.acquire(wait=True), cyd.acquire(wait=True))] == [1, 2]
    ada.ask(granting.ReleaseGrant)
    assert list_holders(free_puma) == []
    refused = cyd.acquire(wait=True)
    assert isinstance(refused, replies.Waiting)
    assert "Bob comes next" in refused.reason
    assert get_kind(ada.acquire()) == "NotHolder"
    assert isinstance(bob.acquire(wait=True), replies.Granted)
    assert free_puma.running.state().waiting == ("Cyd",)


def test_a_higher_priority_is_served_first_and_drives_nobody_out(free_puma: Operator):
    ada, bob, cyd = (Person(free_puma, name) for name in ("Ada", "Bob", "Cyd"))
    ada.acquire()
    bob.acquire(wait=True)
    assert cyd.acquire(wait=True, priority=5).place == 1
    assert list_holders(free_puma) == ["Ada"]
    ada.ask(granting.ReleaseGrant)
    assert isinstance(bob.acquire(wait=True), replies.Waiting)
    assert isinstance(cyd.acquire(wait=True, priority=5), replies.Granted)


def test_who_does_not_ask_again_within_the_lease_loses_the_place(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada", "inside"), Person(free_puma, "Bob")
    ada.acquire()
    asked_at = free_puma.running.tick
    bob.acquire(wait=True)
    free_puma.run_until(lambda: not free_puma.running.state().waiting, 2.0)
    assert list_changes(free_puma)[-1] == ("left", "Bob")
    assert free_puma.running.controller.grant_history[-1].tick == asked_at + 251


def test_somebody_who_left_is_not_in_the_way(free_puma: Operator):
    ada, bob, cyd = Person(free_puma, "Ada", "inside"), Person(free_puma, "Bob"), Person(free_puma, "Cyd")
    ada.acquire()
    bob.acquire(wait=True)
    free_puma.run(1.1)
    ada.ask(granting.ReleaseGrant)
    assert isinstance(cyd.acquire(), replies.Granted)


def test_somebody_who_waits_for_everything_is_not_passed_by_those_who_want_less(free_cirsse: Operator):
    ada, bob, cyd = (Person(free_cirsse, name) for name in ("Ada", "Bob", "Cyd"))
    ada.acquire("FL")
    bob.acquire(wait=True)
    assert get_kind(cyd.acquire("FR")) == "NotHolder"


def test_a_full_queue_refuses_and_forgets_nobody(free_puma: Operator):
    Person(free_puma, "Ada", "inside").acquire()
    for number in range(MAX_WAITING):
        assert isinstance(Person(free_puma, f"person {number}").acquire(wait=True), replies.Waiting)
    assert get_kind(Person(free_puma, "Bob").acquire(wait=True)) == "QueueFull"
    assert len(free_puma.running.state().waiting) == MAX_WAITING


def test_of_two_who_ask_in_the_same_tick_one_is_given_it(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    for person in (ada, bob):
        person.send(granting.Acquire, holder=person.name)
    assert [get_kind(reply) for reply in free_puma.step()] == ["Granted", "NotHolder"]
    assert list_holders(free_puma) == ["Ada"]
