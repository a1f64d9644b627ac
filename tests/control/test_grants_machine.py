"""Whatever several people ask: every axis is under one grant at most, and only its holder is heard."""

from functools import cache
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from soak.operator import Operator
from telecell.control.changes import CHANGES
from telecell.control.waiting import MAX_WAITING
from telecell.messages import Grant, Refused, events, granting, replies
from telecell.messages.settings import SetSpeedFactor
from telecell.messages.stopping import Reset

from .people import Person

NAMES = ("Ada", "Bob", "Cyd")
WANTED = ((), ("FL",), ("FR",), ("PL",), ("CL",), ("CL", "PR"))
PARTS = ((("FL",), ("FR",)), (("CL",), ("PL",)), (("PL",), ("CL", "FR")), (("CR",), ("PR",)))

who = st.sampled_from(NAMES)


@cache
def open_once() -> Operator:
    return Operator("cirsse")


class People(RuleBasedStateMachine):
    """Three people at one cell. What the events tell must be what is the case."""

    def __init__(self):
        super().__init__()
        self.operator = open_once().restart()
        self.operator.bring_up()
        self.operator.ask(granting.ReleaseGrant)
        self.people = {name: Person(self.operator, name) for name in NAMES}
        self.told: dict[int, tuple[str, set[str]]] = {}
        self.over: set[int] = {1}
        self.given: list[tuple[str, Grant]] = []
        self._read = len(self.operator.events)

    def ask(self, name: str, kind: type, **fields: Any) -> Any:
        reply = self.people[name].ask(kind, **fields)
        if isinstance(reply, replies.Granted):
            self.given += [(name, entry.grant) for entry in reply.grants]
        self._read_events()
        return reply

    def _read_events(self) -> None:
        """Keep books of who has what, by the events alone."""
        for event in self.operator.events[self._read :]:
            if isinstance(event, events.GrantChanged) and event.tenure is not None:
                if event.change in ("acquired", "split", "merged"):
                    self._note_given(event.tenure, event)
                else:
                    assert self.told.pop(event.tenure) == (event.holder, set(event.axes))
                    self.over.add(event.tenure)
                    self._check_latches(event)
        self._read = len(self.operator.events)

    def _note_given(self, tenure: int, event: events.GrantChanged) -> None:
        assert tenure not in self.over | set(self.told), "a number came back"
        replaced = {old for old, (_, axes) in self.told.items() if axes & set(event.axes)}
        assert not replaced or event.change != "acquired", "two grants for one axis"
        self.over |= replaced
        self.told = {number: row for number, row in self.told.items() if number not in replaced}
        self.told[tenure] = (event.holder, set(event.axes))

    def _check_latches(self, event: events.GrantChanged) -> None:
        if CHANGES[event.change].motion == "stop":
            stopped = {axis.name for axis in self.operator.running.state().axes if axis.stopped or not axis.powered}
            assert set(event.axes) <= stopped

    # What people do

    @rule(name=who, axes=st.sampled_from(WANTED), wait=st.booleans(), priority=st.integers(0, 2))
    def acquire(self, name: str, axes: tuple[str, ...], wait: bool, priority: int):
        self.ask(name, granting.Acquire, holder=name, axes=axes, wait=wait, priority=priority)

    @rule(name=who, kind=st.sampled_from([granting.RenewGrant, granting.ReleaseGrant, Reset]))
    def renew_or_release(self, name: str, kind: type):
        self.ask(name, kind)

    @rule(name=who, parts=st.sampled_from(PARTS))
    def split(self, name: str, parts: tuple[tuple[str, ...], ...]):
        self.ask(name, granting.SplitGrant, parts=parts)

    @rule(name=who)
    def merge(self, name: str):
        mine = [grant for owner, grant in self.given if owner == name and grant.tenure in self.told]
        if len(mine) > 1:
            self.ask(name, granting.MergeGrants, grant=mine[0], others=tuple(mine[1:]))

    @rule(name=who, to=who)
    def hand_over(self, name: str, to: str):
        self.ask(name, granting.HandOver, to=to)

    @rule(name=who, axes=st.sampled_from(WANTED))
    def take_back(self, name: str, axes: tuple[str, ...]):
        self.ask(name, granting.TakeBack, author=name, reason="my turn", axes=axes)

    @rule(ticks=st.sampled_from([1, 100, 260]))
    def wait(self, ticks: int):
        for _ in range(ticks):
            self.operator.step()
        self._read_events()

    @precondition(lambda self: self.given)
    @rule(name=who, number=st.integers(0, 50), robot=st.sampled_from(["FL", "FR", "PL", "CR"]))
    def command(self, name: str, number: int, robot: str):
        """With any grant that was ever given, to whomever: only its holder is heard, as long as it is one."""
        owner, grant = self.given[number % len(self.given)]
        holder, axes = self.told.get(grant.tenure, (None, set()))
        needed = set(self.operator.running.cell.get_robot(robot).axis_names)
        reply = self.ask(name, SetSpeedFactor, grant=grant, robot=robot, factor=1.0)
        heard = owner == name == holder and needed <= axes
        assert isinstance(reply, Refused) != heard, reply

    # What must be so

    @invariant()
    def every_axis_is_under_one_grant_at_most(self):
        masks = [held.mask for held in self.operator.running.controller.grants.held.values()]
        assert not masks or np.sum(masks, axis=0).max() <= 1

    @invariant()
    def the_events_tell_who_has_what(self):
        state = self.operator.running.state()
        assert {grant.tenure: (grant.holder, set(grant.axes)) for grant in state.grants} == self.told

    @invariant()
    def few_wait_and_nothing_moves(self):
        assert len(self.operator.running.controller.grants.waiting) <= min(MAX_WAITING, 3 * len(WANTED))
        assert self.operator.list_wrongs() == []


def test_grants_keep_their_rules_whatever_is_asked():
    run_state_machine_as_test(People, settings=settings(max_examples=30, stateful_step_count=30))
