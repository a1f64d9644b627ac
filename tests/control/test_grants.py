"""An axis is under one grant at a time, and only fresh commands in order, of its holder, are let in."""

import math
from typing import Any

import numpy as np
import pytest

from soak.operator import Operator
from telecell.control.grants import Grants, Held, validate_name
from telecell.control.profiles import PROFILES
from telecell.control.ticks import Ticks
from telecell.errors import NotHolder, RequestLate, RequestOutOfOrder
from telecell.messages import Grant, events, granting, moves, settings, stopping

from .people import Person, get_kind, list_changes, list_holders

NOW = 100
EVERYTHING = np.ones(6, bool)

# What a command has to carry


@pytest.fixture
def ticks() -> Ticks:
    ticks = Ticks(0.004)
    for tick in range(1, NOW + 1):
        ticks.note(tick, 0.004 * tick)
    return ticks


def give(grants: Grants, name: str) -> Held:
    return grants.give(granting.Acquire(sequence=1, sender=name, holder=name), EVERYTHING, 0.4, 0.0)


@pytest.fixture
def grants() -> Grants:
    grants = Grants("epoch", PROFILES["local"])
    give(grants, "Ada")
    return grants


def build(kind: Any = moves.Home, **fields: Any) -> Any:
    carried = {"sequence": 5, "sender": "Ada", "grant": Grant("epoch", 1), "echo": NOW, "robot": "puma"}
    return kind(**{**carried, **fields})


def test_a_fresh_command_of_the_holder_is_let_in(grants: Grants, ticks: Ticks):
    assert grants.admit(build(), ticks).holder == "Ada"


@pytest.mark.parametrize("grant", [None, Grant("other", 1), Grant("epoch", 2), Grant("epoch", 0)])
def test_another_grant_is_refused_with_the_holder_named(grants: Grants, ticks: Ticks, grant: Grant | None):
    with pytest.raises(NotHolder, match="Ada has control"):
        grants.admit(build(grant=grant), ticks)


def test_the_grant_of_somebody_else_is_refused(grants: Grants, ticks: Ticks):
    with pytest.raises(NotHolder, match="Ada has control"):
        grants.admit(build(sender="Bob"), ticks)


def test_an_old_grant_is_refused_though_its_holder_has_control_again(grants: Grants, ticks: Ticks):
    grants.end(grants.held[1])
    with pytest.raises(NotHolder, match="nobody has control"):
        grants.admit(build(), ticks)
    assert give(grants, "Ada").tenure == 2
    with pytest.raises(NotHolder, match="Ada has control"):
        grants.admit(build(), ticks)
    assert grants.admit(build(grant=Grant("epoch", 2)), ticks).tenure == 2


def test_numbers_must_grow_on_each_channel(grants: Grants, ticks: Ticks):
    grants.admit(build(sequence=5), ticks)
    with pytest.raises(RequestOutOfOrder, match="above 5"):
        grants.admit(build(sequence=5), ticks)
    grants.admit(build(moves.Renew, sequence=3), ticks)
    with pytest.raises(RequestOutOfOrder, match="above 3"):
        grants.admit(build(moves.Renew, sequence=2), ticks)
    renewal = granting.RenewGrant(sequence=1, sender="Ada", grant=Grant("epoch", 1), echo=NOW)
    grants.admit(renewal, ticks)
    with pytest.raises(RequestOutOfOrder, match="above 1"):
        grants.admit(renewal, ticks)
    grants.admit(build(sequence=6), ticks)


@pytest.mark.parametrize("echo", [None, NOW + 1, NOW - 62, -5, 2**70])
def test_a_command_for_another_moment_is_refused(grants: Grants, ticks: Ticks, echo: int | None):
    with pytest.raises(RequestLate):
        grants.admit(build(echo=echo), ticks)


def test_an_echo_that_was_told_250_ms_ago_is_still_fresh(grants: Grants, ticks: Ticks):
    grants.admit(build(echo=NOW - 61), ticks)


@pytest.mark.parametrize("ttl_s", [0.0, -1.0, math.nan, -math.inf, 0.01])
def test_a_command_is_not_wanted_after_its_time_to_live(grants: Grants, ticks: Ticks, ttl_s: float):
    with pytest.raises(RequestLate):
        grants.admit(build(echo=NOW - 5, ttl_s=ttl_s), ticks)


def test_a_long_time_to_live_makes_nothing_younger(grants: Grants, ticks: Ticks):
    with pytest.raises(RequestLate):
        grants.admit(build(echo=NOW - 62, ttl_s=math.inf), ticks)


def test_a_refused_command_does_not_count(grants: Grants, ticks: Ticks):
    with pytest.raises(RequestLate):
        grants.admit(build(sequence=9, echo=None), ticks)
    grants.admit(build(sequence=6), ticks)


@pytest.mark.parametrize("name", ["", "   ", "a" * 65, "line\nbreak", "\x00"])
def test_a_holder_needs_a_name_that_can_be_read(name: str):
    with pytest.raises(NotHolder, match="name"):
        validate_name(name)


def test_blanks_around_a_name_do_not_count(free_puma: Operator):
    granted = Person(free_puma, "Ada").acquire(holder="  Ada ")
    assert granted.grants[0].holder == "Ada"


# Which axes


def test_everything_is_given_if_nothing_is_named(free_cirsse: Operator):
    granted = Person(free_cirsse, "Ada").acquire()
    assert granted.grants[0].axes == tuple(axis.name for axis in free_cirsse.running.cell.axes)


@pytest.mark.parametrize(
    ("named", "count"), [(("FL",), 9), (("CL", "PL"), 9), (("CR",), 3), (("FL", "FR"), 18), (("PL", "FL"), 9)]
)
def test_robots_and_axes_are_given_by_name(free_cirsse: Operator, named: tuple[str, ...], count: int):
    person = Person(free_cirsse, "Ada")
    (entry,) = person.acquire(*named).grants
    assert len(entry.axes) == count
    person.ask(granting.ReleaseGrant)
    (again,) = person.acquire(*entry.axes).grants
    assert again.axes == entry.axes


def test_unknown_axes_are_refused_with_the_known_ones(free_cirsse: Operator):
    refused = Person(free_cirsse, "Ada").acquire("FLL")
    assert get_kind(refused) == "UnknownName"
    assert "FL" in refused.error.choices


def test_axes_that_somebody_has_are_refused_and_others_are_given(free_cirsse: Operator):
    ada, bob = Person(free_cirsse, "Ada"), Person(free_cirsse, "Bob")
    ada.acquire("PL")
    for overlapping in ("PL", "FL"):
        refused = bob.acquire(overlapping)
        assert get_kind(refused) == "NotHolder"
        assert "holder Ada" in refused.error.text
    assert get_kind(bob.acquire()) == "NotHolder"
    assert get_kind(bob.acquire("CL", "FR")) == "Granted"
    assert list_holders(free_cirsse) == ["Ada", "Bob"]


def test_a_robot_whose_axes_are_under_two_grants_is_nobodys(free_cirsse: Operator):
    ada, bob = Person(free_cirsse, "Ada"), Person(free_cirsse, "Bob")
    ada.acquire("PL")
    bob.acquire("CL")
    for person in (ada, bob):
        assert get_kind(person.ask(moves.Home, robot="FL")) == "NotHolder"
    holders = {robot.name: robot.holder for robot in free_cirsse.running.state().robots}
    assert (holders["PL"], holders["CL"], holders["FL"]) == ("Ada", "Bob", None)


def test_who_has_control_is_not_given_it_twice_not_even_by_waiting(free_puma: Operator):
    ada = Person(free_puma, "Ada")
    ada.acquire()
    for wait in (False, True):
        assert "already" in ada.acquire(wait=wait).error.text


def test_an_acquisition_needs_a_fresh_echo(free_puma: Operator):
    late = Person(free_puma, "Ada")
    free_puma.run(0.4)
    late.delay = 62
    assert get_kind(late.acquire()) == "RequestLate"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (moves.Home, {"robot": "FR"}),
        (moves.Renew, {"robot": "PR"}),
        (settings.Power, {"robot": "FR", "on": False}),
        (settings.SetSpeedFactor, {"robot": "FR", "factor": 0.5}),
        (settings.SavePose, {"robot": "FR", "name": "mine"}),
        (settings.SetTool, {"tool": "right_gripper/fingers", "opening": 0.0}),
        (stopping.Halt, {"robot": "FR"}),
        (stopping.Reset, {"robot": "FR"}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_command_for_axes_outside_the_grant_is_refused(free_cirsse: Operator, kind: type, fields: dict[str, Any]):
    ada, bob = Person(free_cirsse, "Ada"), Person(free_cirsse, "Bob")
    ada.acquire("FL")
    refused = ada.ask(kind, **fields)
    assert get_kind(refused) == "NotHolder"
    assert "nobody has control" in refused.error.text
    bob.acquire("FR")
    assert "Bob has control" in ada.ask(kind, **fields).error.text


def test_a_tool_belongs_to_whoever_has_a_robot_that_carries_it(free_cirsse: Operator):
    ada = Person(free_cirsse, "Ada")
    ada.acquire("PL")
    tool = free_cirsse.running.cell.get_robot("PL").tool
    assert get_kind(ada.ask(settings.SetTool, tool=tool, opening=0.0)) == "Done"


def test_reset_takes_the_latch_off_the_axes_of_the_grant_only(free_cirsse: Operator):
    ada = Person(free_cirsse, "Ada")
    ada.acquire("FL")
    ada.ask(stopping.Stop, author="watcher")
    assert get_kind(ada.ask(stopping.Reset)) == "Done"
    stopped = {axis.name for axis in free_cirsse.running.state().axes if axis.stopped}
    assert stopped == set(free_cirsse.running.cell.get_robot("FR").axis_names)


# What is told


def test_control_is_told_with_numbers_axes_and_reasons(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada", "inside"), Person(free_puma, "Bob", "inside")
    ada.acquire(priority=3)
    bob.acquire(wait=True)
    ada.ask(granting.ReleaseGrant)
    bob.acquire(wait=True)
    bob.ask(granting.TakeBack, author="Eve", reason="lunch")
    assert list_changes(free_puma) == [
        ("acquired", "Ada"),
        ("queued", "Bob"),
        ("released", "Ada"),
        ("acquired", "Bob"),
        ("taken_back", "Bob"),
    ]
    listed = ada.ask(granting.ListGrants)
    assert all(entry.reason and entry.axes for entry in listed.history)
    assert listed.history[1].tenure is None
    assert "Ada" in listed.history[1].reason
    assert "Eve: lunch" in listed.history[-1].reason
    told = list(free_puma.happened(events.GrantChanged))[-5:]
    assert told == list(listed.history)
    assert [event.sender for event in told] == ["Ada", "Bob", "Ada", "Bob", "Bob"]


def test_the_state_tells_who_holds_what_since_when_and_who_waits(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada", "page"), Person(free_puma, "Bob")
    ada.acquire(priority=3)
    free_puma.run(0.2)
    ada.renew()
    bob.acquire(wait=True)
    state = free_puma.running.state()
    (held,) = state.grants
    assert (held.holder, held.sender, held.source, held.priority, held.tenure) == ("Ada", "Ada", "page", 3, 2)
    assert held.held_s == pytest.approx(0.2 + 2 * 0.004)
    assert held.idle_s == pytest.approx(held.held_s)
    assert held.quiet_s == pytest.approx(0.004)
    assert (state.waiting, state.robots[0].holder) == (("Bob",), "Ada")
    (waiting,) = ada.ask(granting.ListGrants).waiting
    assert (waiting.holder, waiting.axes, waiting.priority) == ("Bob", held.axes, 0)


def test_a_grant_says_what_it_needs(free_puma: Operator):
    (entry,) = Person(free_puma, "Ada", "page").acquire().grants
    assert (entry.lease_s, entry.silence_s) == (1.0, 0.3)


def test_tip_speeds_are_lowered_when_control_is_given_back(puma: Operator):
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=1.0)
    assert puma.running.state().robots[0].tip_speed_m_s == 1.0
    puma.ask(granting.ReleaseGrant)
    assert puma.running.state().robots[0].tip_speed_m_s == 0.25


def test_every_refusal_of_a_command_is_an_event(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="nowhere")
    Person(puma, "Bob").acquire()
    refusals = list(puma.happened(events.CommandRefused))
    assert [(event.operation, event.sender) for event in refusals] == [("move_named", "operator"), ("acquire", "Bob")]
    assert "nowhere" in refusals[0].reason
