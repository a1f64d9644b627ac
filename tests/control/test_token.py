"""TURAC's control token is a grant: START, END and TARGET from the workstations Euler and Rainbow, minute by minute.

The story is that of the TURAC report on distributed telerobotics (Texas Tech, 1997): the token is recovered from a
holder who sends no target for 30 s, though the gateway of the site renews all the time.
"""

from functools import cache

import pytest

from soak.operator import Operator
from telecell.messages import granting, moves, replies, settings

from .people import Person, get_kind, list_changes, list_holders

STORY = [
    (0, "Euler", "START", "Approved", "Euler"),
    (1, "Rainbow", "START", "Disapproved", "Euler"),
    (3, "Rainbow", "TARGET", "ignored", "Euler"),
    (4, "Euler", "TARGET", "processed", "Euler"),
    (5, "Euler", "START", "Disapproved", "Euler"),
    (6, "Rainbow", "END", "Disapproved", "Euler"),
    (7, "Euler", "END", "Approved", None),
    (8, "Euler", "TARGET", "ignored", None),
    (9, "Rainbow", "START", "Approved", "Rainbow"),
    (10, "Rainbow", "TARGET", "processed", "Rainbow"),
    (39, None, None, None, "Rainbow"),
    (40.01, None, None, None, None),
    (41, "Rainbow", "TARGET", "ignored", None),
]
"""When, who, what, the answer, and who has the token then. A START for another robot (t = 2) never reaches this cell:
its key names another one."""

MEANINGS = {
    ("START", "Granted"): "Approved",
    ("START", "NotHolder"): "Disapproved",
    ("END", "Done"): "Approved",
    ("END", "NotHolder"): "Disapproved",
    ("TARGET", "Queued"): "processed",
    ("TARGET", "NotHolder"): "ignored",
}


class Gateway:
    """Passes the words of two workstations on, and renews for whoever has the token."""

    def __init__(self, operator: Operator):
        self._operator = operator
        self._begin_s = operator.running.time_s
        self._people = {name: Person(operator, name, "wire") for name in ("Euler", "Rainbow")}

    def wait_until(self, time_s: float) -> None:
        while self._operator.running.time_s - self._begin_s < time_s - 1e-6:
            for name in list_holders(self._operator) if self._operator.running.tick % 25 == 0 else ():
                self._people[name].send(granting.RenewGrant)
            self._operator.step()

    def pass_on(self, name: str, word: str) -> str:
        person = self._people[name]
        if word == "START":
            reply = person.acquire(priority=2)
        elif word == "END":
            reply = person.ask(granting.ReleaseGrant)
        else:
            reply = person.ask(moves.MoveJointsBy, robot="puma", increments=(0.02,) * 6)
        return MEANINGS[word, get_kind(reply)]


@cache
def open_once() -> Operator:
    return Operator("puma", profile="lab")


@pytest.fixture
def lab() -> Operator:
    operator = open_once().restart().bring_up()
    operator.ask(granting.ReleaseGrant)
    operator.running.controller.grant_history.clear()
    return operator


def test_the_story_of_the_token(lab: Operator):
    gateway, told = Gateway(lab), []
    for time_s, name, word, _, _ in STORY:
        gateway.wait_until(time_s)
        answer = gateway.pass_on(name, word) if name and word else None
        told.append((time_s, name, word, answer, next(iter(list_holders(lab)), None)))
    assert told == STORY
    assert list_changes(lab) == [
        ("acquired", "Euler"),
        ("released", "Euler"),
        ("acquired", "Rainbow"),
        ("idle", "Rainbow"),
    ]
    assert lab.list_wrongs() == []


def test_of_two_simultaneous_starts_one_is_approved(lab: Operator):
    for name in ("Euler", "Rainbow"):
        Person(lab, name, "wire").send(granting.Acquire, holder=name, source="wire")
    assert sorted(MEANINGS["START", get_kind(reply)] for reply in lab.step()) == ["Approved", "Disapproved"]


def test_holder_priority_control_time_and_idle_time_can_be_read(lab: Operator):
    euler = Person(lab, "Euler", "wire")
    assert isinstance(euler.acquire(priority=2), replies.Granted)
    euler.stay(0.5)
    euler.ask(settings.SetSpeedFactor, robot="puma", factor=0.5)
    euler.stay(0.3)
    (token,) = lab.running.state().grants
    assert (token.holder, token.priority) == ("Euler", 2)
    assert token.held_s == pytest.approx(0.5 + 0.004 + 0.3)
    assert token.idle_s == pytest.approx(0.3)


def test_a_client_that_dies_before_its_first_target_loses_the_token_too(lab: Operator):
    Person(lab, "Euler", "wire").acquire()
    lab.run(1.1)
    assert list_changes(lab)[-1] == ("expired", "Euler")
