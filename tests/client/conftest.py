"""A cell with the fake plant, quick and exact, reached in every way."""

from collections.abc import Callable, Iterator

import pytest

import telecell as tc
from telecell.runtime import RunningCell

from .ways import WAYS, Way, start_fake


@pytest.fixture(params=list(WAYS))
def build_way(request: pytest.FixtureRequest) -> Callable[[RunningCell], Way]:
    """From a running cell to the way to it."""
    return WAYS[request.param]


@pytest.fixture
def way(build_way: Callable[[RunningCell], Way]) -> Iterator[Way]:
    with start_fake() as running:
        yield build_way(running)


@pytest.fixture
def cell(way: Way) -> Iterator[tc.CellClient]:
    with way.connect() as opened:
        yield opened


@pytest.fixture
def arm(cell: tc.CellClient) -> Iterator[tc.Manipulator]:
    """In control, with power."""
    arm = cell.manipulator("puma")
    with arm.control("test"):
        arm.power(True)
        arm.set_tip_speed(5.0)
        yield arm


@pytest.fixture
def cirsse(build_way: Callable[[RunningCell], Way]) -> Iterator[tc.CellClient]:
    with start_fake("cirsse") as running, build_way(running).connect() as opened, opened.control("test"):
        for name in ("FL", "FR"):
            opened.manipulator(name).power(True)
            opened.manipulator(name).set_tip_speed(5.0)
        yield opened
