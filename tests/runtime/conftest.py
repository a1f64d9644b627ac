"""Cells under the eyes of the observer."""

from collections.abc import Callable
from functools import cache

import pytest

from soak.operator import Operator


@cache
def open_once(cell: str, plant: str) -> Operator:
    return Operator(cell, plant)


@pytest.fixture
def bring_up() -> Callable[..., Operator]:
    def bring_up(plant: str = "fake", cell: str = "puma") -> Operator:
        return open_once(cell, plant).restart().bring_up()

    return bring_up
