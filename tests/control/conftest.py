"""Cells under the eyes of the observer, brought up; what it saw is judged at the end of every test."""

from collections.abc import Iterator
from functools import cache

import pytest

from soak.operator import Operator
from telecell.messages.granting import ReleaseGrant


@cache
def open_once(cell: str, plant: str) -> Operator:
    return Operator(cell, plant)


def bring_up(cell: str, plant: str) -> Iterator[Operator]:
    operator = open_once(cell, plant).restart().bring_up()
    yield operator
    assert operator.list_wrongs() == []


@pytest.fixture
def puma() -> Iterator[Operator]:
    yield from bring_up("puma", "fake")


@pytest.fixture
def cirsse() -> Iterator[Operator]:
    yield from bring_up("cirsse", "fake")


@pytest.fixture
def puma_physics() -> Iterator[Operator]:
    yield from bring_up("puma", "physics")


@pytest.fixture
def free_puma(puma: Operator) -> Operator:
    """With power, and nobody in control."""
    puma.ask(ReleaseGrant)
    puma.running.controller.grant_history.clear()
    return puma


@pytest.fixture
def free_cirsse(cirsse: Operator) -> Operator:
    """With power, and nobody in control."""
    cirsse.ask(ReleaseGrant)
    cirsse.running.controller.grant_history.clear()
    return cirsse
