"""After a stop, by any cause and in any situation, nothing moves before reset. `make soak ROW=A4` asks more."""

from functools import cache

import pytest

from soak.faults import FAULTS, FaultyPlant, get_plant, strike
from soak.operator import Operator
from telecell.control.stops import STOPS
from telecell.messages import Refused, events, moves, settings, stopping

CASES = [(name, situation) for name, fault in FAULTS.items() for situation in fault.situations]


@cache
def open_once(cell: str) -> Operator:
    return Operator(cell, FaultyPlant)


def bring_up(cell: str) -> Operator:
    operator = open_once(cell)
    get_plant(operator).mend()
    return operator.restart().bring_up()


@pytest.mark.parametrize(("name", "situation"), CASES)
def test_nothing_moves_after_a_stop_until_reset(name: str, situation: str):
    operator, cause = bring_up("puma"), FAULTS[name].cause
    strike(operator, "puma", name, situation)
    assert operator.list_wrongs() == []
    stop = next(event for event in operator.happened(events.Stopped) if event.cause == cause)
    assert stop.category == STOPS[cause].category
    assert stop.reason


@pytest.mark.parametrize("robot", ["FL", "PR", "CL"])
@pytest.mark.parametrize("name", ["stop", "blocked", "door", "power cut", "taken back", "program silent"])
def test_robots_that_share_axes_stop_and_stay_stopped_together(robot: str, name: str):
    operator = bring_up("cirsse")
    strike(operator, robot, name, "queue")
    assert operator.list_wrongs() == []


def test_who_had_not_seen_a_stop_can_neither_reset_nor_go_on_after_the_reset_of_another_request():
    operator = bring_up("puma")
    seen = operator.running.tick
    operator.ask(stopping.Stop, author="watcher")
    for kind, fields in ((stopping.Reset, {}), (stopping.Reset, {"robot": "puma"})):
        refused = operator.ask(kind, echo=seen, **fields)
        assert isinstance(refused, Refused)
        assert "had not seen it" in refused.error.text
    assert not isinstance(operator.ask(stopping.Reset), Refused)
    assert isinstance(operator.ask(moves.Home, robot="puma", echo=seen), Refused)
    assert not isinstance(operator.ask(moves.Home, robot="puma"), Refused)


def test_the_power_goes_off_also_for_one_who_had_not_seen_a_stop():
    operator = bring_up("puma")
    seen = operator.running.tick
    operator.ask(stopping.Stop, author="watcher")
    assert not isinstance(operator.ask(stopping.Reset), Refused)
    assert isinstance(operator.ask(settings.Power, robot="puma", on=True, echo=seen), Refused)
    assert not isinstance(operator.ask(settings.Power, robot="puma", on=False, echo=seen), Refused)


def test_every_latched_cause_is_tried_or_has_a_test_of_its_own():
    elsewhere = {"position_limit"}
    assert {fault.cause for fault in FAULTS.values()} | elsewhere == {
        cause for cause, row in STOPS.items() if row.latched
    }
