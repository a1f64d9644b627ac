"""One holder at a time, and only fresh commands in order."""

import math
from typing import Any

import pytest

from soak.operator import Operator
from telecell.control.holder import Holder
from telecell.control.ticks import Ticks
from telecell.errors import NotHolder, RequestLate, RequestOutOfOrder
from telecell.messages import Grant, Refused, events, moves, settings
from telecell.messages.settings import TakeControl

NOW = 100


@pytest.fixture
def ticks() -> Ticks:
    ticks = Ticks(0.004)
    for tick in range(1, NOW + 1):
        ticks.note(tick, 0.004 * tick)
    return ticks


@pytest.fixture
def holder() -> Holder:
    holder = Holder("epoch")
    holder.take(TakeControl(sequence=1, holder="Ada"))
    return holder


def build(kind: Any = moves.Home, **fields: Any) -> Any:
    return kind(**{"sequence": 5, "grant": Grant("epoch", 1), "echo": NOW, "robot": "puma", **fields})


def test_a_fresh_command_with_the_grant_is_let_in(holder: Holder, ticks: Ticks):
    holder.admit(build(), ticks)


@pytest.mark.parametrize("grant", [None, Grant("other", 1), Grant("epoch", 2), Grant("epoch", 0)])
def test_another_grant_is_refused_with_the_holder_named(holder: Holder, ticks: Ticks, grant: Grant | None):
    with pytest.raises(NotHolder, match="Ada has control"):
        holder.admit(build(grant=grant), ticks)


def test_the_grant_of_the_last_tenure_is_worth_nothing(holder: Holder, ticks: Ticks):
    holder.release()
    with pytest.raises(NotHolder, match="nobody has control"):
        holder.admit(build(), ticks)
    assert holder.take(TakeControl(sequence=1, holder="Bob")) == Grant("epoch", 2)
    with pytest.raises(NotHolder, match="Bob has control"):
        holder.admit(build(), ticks)


@pytest.mark.parametrize("name", ["", "   ", "a" * 65, "line\nbreak", "\x00"])
def test_a_holder_needs_a_name_that_can_be_read(name: str):
    with pytest.raises(NotHolder, match="name"):
        Holder("epoch").take(TakeControl(sequence=1, holder=name))


def test_control_is_not_given_twice(holder: Holder):
    with pytest.raises(NotHolder, match="holder Ada"):
        holder.take(TakeControl(sequence=1, holder="Ada"))


def test_numbers_must_grow_and_streams_are_counted_apart(holder: Holder, ticks: Ticks):
    holder.admit(build(sequence=5), ticks)
    with pytest.raises(RequestOutOfOrder, match="above 5"):
        holder.admit(build(sequence=5), ticks)
    holder.admit(build(moves.Renew, sequence=3), ticks)
    with pytest.raises(RequestOutOfOrder, match="above 3"):
        holder.admit(build(moves.Renew, sequence=2), ticks)
    holder.admit(build(sequence=6), ticks)


@pytest.mark.parametrize("echo", [None, NOW + 1, NOW - 63, -5, 2**70])
def test_a_command_for_another_moment_is_refused(holder: Holder, ticks: Ticks, echo: int | None):
    with pytest.raises(RequestLate):
        holder.admit(build(echo=echo), ticks)


def test_an_echo_of_250_ms_is_still_fresh(holder: Holder, ticks: Ticks):
    holder.admit(build(echo=NOW - 62), ticks)


@pytest.mark.parametrize("ttl_s", [0.0, -1.0, math.nan, -math.inf, 0.01])
def test_a_command_is_not_wanted_after_its_time_to_live(holder: Holder, ticks: Ticks, ttl_s: float):
    with pytest.raises(RequestLate):
        holder.admit(build(echo=NOW - 5, ttl_s=ttl_s), ticks)


def test_a_refused_command_does_not_count(holder: Holder, ticks: Ticks):
    with pytest.raises(RequestLate):
        holder.admit(build(sequence=9, echo=None), ticks)
    holder.admit(build(sequence=6), ticks)


def test_control_is_told_and_given_back(puma: Operator):
    stranger = puma.build(moves.Home, robot="puma", grant=Grant("test", 77))
    puma.submit(stranger)
    (refused,) = puma.step()
    assert isinstance(refused, Refused)
    assert refused.error.kind == "NotHolder"
    puma.ask(settings.ReleaseControl)
    assert [event.holder for event in puma.happened(events.ControlChanged)] == ["tester", None]
    assert puma.running.state().holder is None
    puma.take("another")
    assert puma.running.state().holder == "another"


def test_tip_speeds_are_lowered_when_control_is_given_back(puma: Operator):
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=1.0)
    assert puma.running.state().robots[0].tip_speed_m_s == 1.0
    puma.ask(settings.ReleaseControl)
    assert puma.running.state().robots[0].tip_speed_m_s == 0.25


def test_every_refusal_of_a_command_is_an_event(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="nowhere")
    (refusal,) = puma.happened(events.CommandRefused)
    assert refusal.operation == "move_named"
    assert "nowhere" in refusal.reason
