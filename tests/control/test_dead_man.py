"""Whoever moves a robot has to give signs of life: silence stops it, in the tick after its time is over."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from soak.operator import Operator
from telecell.control.sources import SOURCES
from telecell.messages import Refused, events, granting, moves, replies, settings, stopping
from telecell.messages.granting import Source

from .people import Person, get_kind, list_holders
from .recording import record

FAR = (2.0, 0.0, 0.0, 0.0, 0.0, 0.0)
QUEUED = [source for source, row in SOURCES.items() if row.silence_s is not None]


def count_ticks(operator: Operator, seconds: float | None) -> int:
    assert seconds is not None
    return round(seconds / operator.running.plant.period_s)


def begin_queue(person: Person, speed: float = 0.3) -> None:
    """Steady speed on a queued segment, with signs of life; the last of them is in the newest tick."""
    assert get_kind(person.ask(moves.MoveJointsBy, robot="puma", increments=FAR, speed=speed)) == "Queued"
    person.stay(1.0)
    person.renew()


def begin_stream(person: Person) -> None:
    """Steady speed towards a set-point far away, with signs of life; the last of them is in the newest tick."""
    here = person.operator.observer.command.q_desired
    assert get_kind(person.ask(moves.StreamJoints, robot="puma", joints=tuple((here + FAR).tolist()))) == "Accepted"
    for _ in range(20):
        person.send(moves.Renew, robot="puma")
        person.operator.run(0.04)
    assert get_kind(person.ask(moves.Renew, robot="puma")) == "Done"


def measure_silence(operator: Operator) -> int:
    """Ticks from the newest to the first set-point that slows down, which must be the tick of the stop."""
    heard_at = operator.running.tick - 1
    speed = np.abs(operator.observer.command.v_desired[0])
    _, velocities = record(operator, 0.6)
    speeds = np.abs(velocities[:, 0])
    slower = int(np.argmax(np.diff(speeds, prepend=speed) < -1e-12)) + 1
    (stop,) = operator.happened(events.Stopped)
    assert (stop.cause, stop.tick) == ("silence", heard_at + slower)
    assert speed > 0.1
    return slower


@pytest.fixture
def person(free_puma: Operator) -> Person:
    return Person(free_puma, "Ada")


@pytest.mark.parametrize("source", QUEUED)
def test_queued_motion_slows_down_in_the_tick_after_the_silence_of_its_source(person: Person, source: Source):
    person.source = source
    person.acquire()
    begin_queue(person)
    assert measure_silence(person.operator) == count_ticks(person.operator, SOURCES[source].silence_s) + 1


@pytest.mark.parametrize("source", SOURCES)
def test_a_stream_slows_down_in_the_tick_after_the_silence_of_its_source(person: Person, source: Source):
    person.source = source
    person.acquire()
    begin_stream(person)
    assert measure_silence(person.operator) == count_ticks(person.operator, SOURCES[source].stream_silence_s) + 1


def test_queued_motion_inside_the_cells_own_process_needs_no_signs_of_life(person: Person):
    person.source = "inside"
    person.acquire()
    person.ask(moves.MoveJointsBy, robot="puma", increments=FAR)
    person.operator.settle()
    assert person.operator.books.modes["puma"] == "holding"


def test_the_dead_man_names_who_was_silent_for_how_long(person: Person):
    person.acquire()
    begin_queue(person)
    person.operator.run(0.6)
    (stop,) = person.operator.happened(events.Stopped)
    assert stop.reason == "no sign of life of Ada for 0.504 s, limit 0.5 s"


def test_renewals_keep_queued_motion_alive_to_its_end(person: Person):
    person.acquire()
    begin_queue(person)
    person.stay(5.0, every_ticks=100)
    assert [event.outcome for event in person.operator.happened(events.SegmentEnded)] == ["arrived"]


def test_renewals_of_the_grant_do_not_keep_a_stream_alive(person: Person):
    person.acquire()
    begin_stream(person)
    person.stay(0.2, every_ticks=5)
    assert person.operator.has_stopped("silence")


def test_an_unattended_renewal_keeps_the_lease_but_not_the_motion(person: Person):
    person.source = "attended"
    person.acquire()
    begin_queue(person)
    for _ in range(30):
        person.send(granting.RenewGrant, attending=False)
        person.operator.run(0.1)
    assert person.operator.has_stopped("silence")
    assert list_holders(person.operator) == ["Ada"]


def test_a_hiccup_stops_the_robot_and_leaves_the_grant_with_its_holder(person: Person):
    person.acquire()
    begin_queue(person)
    person.operator.run(0.9)
    assert person.operator.books.modes["puma"] in ("stopping", "stopped")
    assert get_kind(person.renew()) == "Done"
    person.stay(1.5)
    assert list_holders(person.operator) == ["Ada"]
    assert get_kind(person.ask(moves.Home, robot="puma")) == "MotionStopped"
    assert get_kind(person.ask(stopping.Reset)) == "Done"
    assert get_kind(person.ask(moves.Home, robot="puma")) == "Queued"
    person.stay(0.1)


def test_the_robot_stands_before_anybody_else_can_have_it(person: Person):
    person.acquire()
    begin_queue(person, speed=1.0)
    bob = Person(person.operator, "Bob")
    person.operator.run_until(lambda: isinstance(bob.acquire(wait=True), replies.Granted), 3.0)
    assert person.operator.books.modes["puma"] == "stopped"


def test_a_refused_command_is_no_sign_of_life(person: Person):
    person.acquire()
    begin_queue(person)
    for _ in range(20):
        assert get_kind(person.ask(settings.SetSpeedFactor, robot="puma", factor=7.0)) == "InputError"
        person.operator.run(0.036)
    assert person.operator.has_stopped("silence")


def test_silence_stops_a_robot_that_pauses(person: Person):
    person.acquire()
    begin_queue(person)
    person.ask(stopping.Pause, robot="puma")
    person.operator.run(0.6)
    assert person.operator.has_stopped("silence")


def test_silence_at_rest_is_nobodys_business(person: Person):
    person.acquire()
    for _ in range(20):
        person.send(granting.RenewGrant, attending=False)
        person.operator.run(0.1)
    assert list(person.operator.happened(events.Stopped)) == []


def test_of_two_holders_only_the_silent_one_is_stopped(free_cirsse: Operator):
    ada, bob = Person(free_cirsse, "Ada"), Person(free_cirsse, "Bob")
    for person, robot in ((ada, "FL"), (bob, "FR")):
        person.acquire(robot)
        person.ask(moves.MoveNamed, robot=robot, pose="zero")
    ada.stay(0.7)
    assert (free_cirsse.books.modes["FR"], free_cirsse.books.modes["FL"]) != ("moving", "moving")
    (stop,) = free_cirsse.happened(events.Stopped)
    assert stop.axes == free_cirsse.running.cell.get_robot("FR").axis_names
    assert free_cirsse.books.modes["FL"] == "moving"


def test_nothing_that_was_on_its_way_moves_the_robot_after_the_silence(person: Person):
    person.acquire()
    late = [person.build(moves.MoveJointsBy, robot="puma", increments=FAR) for _ in range(3)]
    begin_queue(person)
    person.operator.run(0.9)
    for request in late:
        person.operator.submit(request)
    assert all(isinstance(reply, Refused) for reply in person.operator.step())


# How far away a holder may be


def test_a_holder_whose_renewals_get_lost_begins_nothing_until_the_link_is_better(person: Person):
    person.acquire()
    for number in range(0, 20, 2):
        assert get_kind(person.renew(sequence=number)) == "Done"
    here = tuple(person.operator.observer.command.q_desired.tolist())
    for kind, fields in ((moves.Home, {}), (moves.StreamJoints, {"joints": here})):
        refused = person.ask(kind, robot="puma", **fields)
        assert get_kind(refused) == "RequestLate"
        assert "47% lost during the last second, limit 0.25 s, 20%" in refused.error.text.replace("'", "")
    person.operator.run(0.9)
    for number in range(20, 60):
        person.renew(sequence=number)
    assert get_kind(person.ask(moves.Home, robot="puma")) == "Queued"


def test_what_is_under_way_goes_on_over_a_bad_link(person: Person):
    person.acquire()
    begin_queue(person)
    for number in range(2000, 2040, 2):
        person.renew(sequence=number)
    assert get_kind(person.ask(moves.Home, robot="puma")) == "Queued"
    assert person.operator.books.modes["puma"] == "moving"


@cache
def open_far_away() -> Operator:
    return Operator("puma", profile="delayed")


@pytest.fixture
def far_away() -> Iterator[Person]:
    """Somebody two seconds away, at a cell that takes that into account."""
    operator = open_far_away().restart().bring_up()
    operator.ask(granting.ReleaseGrant)
    person = Person(operator, "Ada")
    operator.run(2.5)
    person.delay = 500
    assert get_kind(person.acquire()) == "Granted"
    yield person
    assert operator.list_wrongs() == []


def test_from_far_away_a_command_may_be_as_old_as_the_round_trip_and_a_quarter_second(far_away: Person):
    far_away.delay = 562
    assert get_kind(far_away.ask(moves.Home, robot="puma")) == "Queued"
    far_away.delay = 563
    assert get_kind(far_away.ask(moves.Home, robot="puma")) == "RequestLate"
    assert get_kind(far_away.renew()) == "RequestLate"


def test_from_far_away_nothing_is_streamed(far_away: Person):
    here = tuple(far_away.operator.observer.command.q_desired.tolist())
    refused = far_away.ask(moves.StreamJoints, robot="puma", joints=here)
    assert get_kind(refused) == "RequestLate"
    assert "limit 0.250 s" in refused.error.text


def test_the_bound_becomes_shorter_with_the_shortest_round_trip(far_away: Person):
    far_away.delay = 100
    far_away.renew()
    far_away.delay = 163
    assert get_kind(far_away.renew()) == "RequestLate"


def test_from_farther_than_the_profile_allows_nothing_can_be_had(far_away: Person):
    stranger = Person(far_away.operator, "Bob")
    far_away.operator.run(8.0)
    stranger.delay = 2500
    assert get_kind(stranger.acquire()) == "RequestLate"
    stranger.delay = 2499
    assert get_kind(stranger.acquire()) == "Granted"
