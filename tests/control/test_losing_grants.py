"""A grant ends: given back, handed over, taken back, or lost. The robot is at rest before anybody else has it."""

import msgspec
import numpy as np
import pytest

from soak.operator import Operator
from telecell.control.changes import CHANGES
from telecell.messages import events, granting, moves, replies, settings, stopping

from .people import Person, get_kind, list_changes, list_holders
from .recording import record

FAR = (1.5, 0.0, 0.0, 0.0, 0.0, 0.0)


def set_out(operator: Operator, person: Person) -> None:
    """Take control, and move at full speed."""
    person.acquire()
    assert isinstance(person.ask(moves.MoveJointsBy, robot="puma", increments=FAR), replies.Queued)
    person.stay(0.8)
    assert get_speed(operator) > 0.05


def get_speed(operator: Operator) -> float:
    return float(np.abs(operator.observer.command.v_desired).max())


def limit(operator: Operator, **rules: float) -> None:
    """A profile with other limits."""
    grants = operator.running.controller.grants
    grants.profile = msgspec.structs.replace(grants.profile, **rules)


def get_end(operator: Operator) -> events.GrantChanged:
    return operator.running.controller.grant_history[-1]


# Giving back, handing over, taking back


def test_giving_back_halts_on_the_path_and_latches_nothing(free_puma: Operator):
    ada = Person(free_puma, "Ada")
    set_out(free_puma, ada)
    assert get_kind(ada.ask(granting.ReleaseGrant)) == "Done"
    assert free_puma.books.modes["puma"] == "stopping"
    free_puma.settle()
    assert free_puma.books.modes["puma"] == "holding"
    assert [event.outcome for event in free_puma.happened(events.SegmentEnded)] == ["halted"]


@pytest.mark.parametrize("way", ["release", "hand_over", "take_back"])
def test_nobody_gets_axes_that_still_move(free_puma: Operator, way: str):
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    set_out(free_puma, ada)
    bob.acquire(wait=True)
    if way == "release":
        ada.ask(granting.ReleaseGrant)
    elif way == "hand_over":
        ada.ask(granting.HandOver, to="Bob")
    else:
        bob.ask(granting.TakeBack, author="Bob", reason="my turn")
    told = []
    while isinstance(reply := bob.acquire(wait=True), replies.Waiting):
        told.append((reply.reason, get_speed(free_puma)))
    assert len(told) > 5
    assert all("coming to rest" in reason for reason, _ in told)
    assert all(speed > 0.0 for _, speed in told[:-1])
    assert isinstance(reply, replies.Granted)
    positions, _ = record(free_puma, 0.2)
    assert np.ptp(positions, axis=0).max() == 0.0


def test_a_hand_over_passes_through_stopped(free_puma: Operator):
    ada, bob, cyd = (Person(free_puma, name) for name in ("Ada", "Bob", "Cyd"))
    set_out(free_puma, ada)
    cyd.acquire(wait=True, priority=9)
    bob.acquire(wait=True)
    assert get_kind(ada.ask(granting.HandOver, to="Bob")) == "Done"
    assert list_holders(free_puma) == []
    (stop,) = free_puma.happened(events.Stopped)
    assert (stop.cause, stop.category) == ("grant_lost", 2)
    assert "handed over by Ada to Bob" in stop.reason
    for person in (ada, cyd):
        assert not isinstance(person.acquire(wait=True), replies.Granted)
    free_puma.settle()
    assert isinstance(bob.acquire(wait=True), replies.Granted)
    assert get_kind(bob.ask(moves.Home, robot="puma")) == "MotionStopped"
    assert get_kind(bob.ask(stopping.Reset)) == "Done"
    assert get_kind(bob.ask(moves.Home, robot="puma")) == "Queued"
    bob.stay(0.1)


def test_a_hand_over_needs_somebody_who_waits(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    ada.acquire()
    assert get_kind(ada.ask(granting.HandOver, to="Bob")) == "UnknownName"
    bob.acquire(wait=True)
    refused = ada.ask(granting.HandOver, to="Bobby")
    assert refused.error.choices == ("Bob",)
    assert list_holders(free_puma) == ["Ada"]


def test_whoever_was_named_and_does_not_come_loses_the_place(free_puma: Operator):
    ada, bob, cyd = (Person(free_puma, name) for name in ("Ada", "Bob", "Cyd"))
    ada.acquire()
    bob.acquire(wait=True)
    ada.ask(granting.HandOver, to="Bob")
    assert get_kind(cyd.acquire()) == "NotHolder"
    free_puma.run(1.01)
    assert get_kind(cyd.acquire()) == "Granted"


def test_taking_back_stops_whoever_moves_and_serves_the_supervisor_first(free_puma: Operator):
    ada, bob, eve = (Person(free_puma, name) for name in ("Ada", "Bob", "Eve"))
    set_out(free_puma, ada)
    bob.acquire(wait=True, priority=9)
    assert get_kind(eve.ask(granting.TakeBack, author="Eve", reason="lunch")) == "Done"
    assert get_kind(ada.ask(moves.Home, robot="puma")) == "NotHolder"
    assert isinstance(bob.acquire(wait=True, priority=9), replies.Waiting)
    free_puma.settle()
    assert isinstance(eve.acquire(), replies.Granted)
    assert get_end(free_puma).change == "acquired"
    assert ("taken_back", "Ada") in list_changes(free_puma)


def test_taking_back_one_arm_leaves_the_other_alone(free_cirsse: Operator):
    ada, bob, eve = (Person(free_cirsse, name, "inside") for name in ("Ada", "Bob", "Eve"))
    ada.acquire("FL")
    bob.acquire("FR")
    bob.ask(moves.MoveNamed, robot="FR", pose="zero")
    eve.ask(granting.TakeBack, author="Eve", reason="lunch", axes=("PL",))
    free_cirsse.run(0.3)
    assert list_holders(free_cirsse) == ["Bob"]
    assert (free_cirsse.books.modes["FL"], free_cirsse.books.modes["FR"]) == ("stopped", "moving")


def test_taking_back_what_nobody_has_changes_nothing(free_puma: Operator):
    eve, ada = Person(free_puma, "Eve"), Person(free_puma, "Ada")
    assert get_kind(eve.ask(granting.TakeBack, author="Eve", reason="lunch")) == "Done"
    assert list_changes(free_puma) == []
    assert get_kind(ada.acquire()) == "Granted"


def test_taking_back_needs_a_name(free_puma: Operator):
    ada = Person(free_puma, "Ada")
    ada.acquire()
    assert get_kind(ada.ask(granting.TakeBack, author=" ", reason="lunch")) == "NotHolder"
    assert list_holders(free_puma) == ["Ada"]


@pytest.mark.parametrize("way", ["hand_over", "take_back", "lease"])
def test_losing_a_grant_without_power_latches_nothing(free_puma: Operator, way: str):
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    ada.acquire()
    ada.ask(settings.Power, robot="puma", on=False)
    if way == "lease":
        free_puma.run(1.1)
    elif way == "hand_over":
        bob.acquire(wait=True)
        ada.ask(granting.HandOver, to="Bob")
    else:
        bob.ask(granting.TakeBack, author="Bob", reason="my turn")
    assert list_holders(free_puma) == []
    assert list(free_puma.happened(events.Stopped)) == []
    assert free_puma.books.modes["puma"] == "off"


# Lease and limits


def test_a_lease_is_over_one_tick_after_its_second(free_puma: Operator):
    ada = Person(free_puma, "Ada")
    ada.acquire()
    ada.stay(0.5)
    renewed_at = free_puma.running.tick
    ada.renew()
    free_puma.run(1.0)
    assert list_holders(free_puma) == ["Ada"]
    free_puma.step()
    assert list_holders(free_puma) == []
    lost = get_end(free_puma)
    assert (lost.change, lost.tick) == ("expired", renewed_at + 251)
    assert "limit 1 s" in lost.reason


def test_the_grant_is_free_in_the_tick_in_which_the_lease_is_over(free_puma: Operator):
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    ada.acquire()
    free_puma.run(1.0)
    assert isinstance(bob.acquire(), replies.Granted)


def test_a_command_keeps_the_lease_and_a_refused_one_does_not(free_puma: Operator):
    ada = Person(free_puma, "Ada")
    ada.acquire()
    free_puma.run(0.8)
    ada.ask(settings.SetSpeedFactor, robot="puma", factor=0.5)
    free_puma.run(0.8)
    assert get_kind(ada.ask(settings.SetSpeedFactor, robot="puma", factor=7.0)) == "InputError"
    free_puma.run(0.3)
    assert get_end(free_puma).change == "expired"


def test_a_grant_in_the_cells_own_process_has_no_lease(free_puma: Operator):
    Person(free_puma, "Ada", "inside").acquire()
    free_puma.run(3.0)
    assert list_holders(free_puma) == ["Ada"]


def test_a_holder_who_commands_nothing_loses_the_grant_after_the_idle_limit(free_puma: Operator):
    limit(free_puma, idle_limit_s=2.0)
    ada = Person(free_puma, "Ada")
    ada.acquire()
    ada.stay(1.5)
    acted_at = free_puma.running.tick
    ada.ask(settings.SetSpeedFactor, robot="puma", factor=1.0)
    ada.stay(2.0)
    assert list_holders(free_puma) == ["Ada"]
    ada.stay(0.02)
    assert (get_end(free_puma).change, get_end(free_puma).tick) == ("idle", acted_at + 501)


def test_nobody_has_a_grant_for_longer_than_the_control_limit_not_even_by_splitting(free_cirsse: Operator):
    limit(free_cirsse, control_limit_s=1.0)
    ada, given_at = Person(free_cirsse, "Ada", "inside"), free_cirsse.running.tick
    ada.acquire()
    free_cirsse.run(0.5)
    ada.ask(granting.SplitGrant, parts=(("FL",), ("FR",)))
    free_cirsse.run(0.6)
    assert list_holders(free_cirsse) == []
    assert (get_end(free_cirsse).change, get_end(free_cirsse).tick) == ("overdue", given_at + 251)


def test_a_lost_grant_stops_the_robot_and_the_next_holder_begins_with_a_reset(free_puma: Operator):
    limit(free_puma, control_limit_s=1.2)
    ada, bob = Person(free_puma, "Ada"), Person(free_puma, "Bob")
    set_out(free_puma, ada)
    ada.stay(0.5)
    (stop,) = free_puma.happened(events.Stopped)
    assert stop.cause == "grant_lost"
    free_puma.settle()
    assert get_kind(bob.acquire()) == "Granted"
    assert get_kind(bob.ask(moves.Home, robot="puma")) == "MotionStopped"
    bob.ask(stopping.Reset)
    assert get_kind(bob.ask(moves.Home, robot="puma")) == "Queued"
    bob.stay(0.1)


def test_every_way_to_end_a_grant_stops_except_giving_it_back():
    assert {change for change, row in CHANGES.items() if row.motion == "halt"} == {"released"}
    going_on = {"acquired", "queued", "left", "split", "merged"}
    assert {change for change, row in CHANGES.items() if row.motion == "goes on"} == going_on
