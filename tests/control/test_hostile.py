"""Hostile senders break nothing. `make soak ROW=A3` and `make fuzz` ask this for longer."""

import pytest

from fuzz.fuzz_requests import fuzz
from soak.hostile import KINDS, Hostile, attack
from soak.operator import Operator
from telecell.messages import OPERATIONS


@pytest.mark.parametrize("cell", ["puma", "cirsse"])
def test_20000_hostile_commands_command_nothing_outside_the_limits(cell: str):
    operator = Operator(cell).bring_up()
    attack(operator, Hostile(operator, seed=2), 20_000, per_tick=8)
    assert operator.list_wrongs() == []
    assert operator.count >= 20_000


def test_100000_random_requests_are_answered_once_each_and_crash_nothing():
    assert fuzz("puma", 100_000, seed=3) == []


def test_every_request_is_attacked():
    assert sorted(kind.__struct_config__.tag for kind in KINDS) == list(OPERATIONS)  # pyright: ignore[reportAttributeAccessIssue]
    operator = Operator("puma").bring_up()
    hostile = Hostile(operator, seed=4)
    assert {type(hostile.draw()) for _ in range(3000)} == set(KINDS)


def test_an_attack_is_repeated_by_its_seed():
    def draw(seed: int) -> list[str]:
        operator = Operator("puma").bring_up()
        hostile = Hostile(operator, seed)
        return [repr(hostile.draw()) for _ in range(50)]

    assert draw(5) == draw(5)
    assert draw(5) != draw(6)
