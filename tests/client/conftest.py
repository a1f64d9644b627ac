"""A cell with the fake plant: quick, and exact to the bit."""

from collections.abc import Iterator

import pytest

import telecell as tc


@pytest.fixture
def cell() -> Iterator[tc.CellClient]:
    with tc.open_cell("puma", plant="fake", keep_poses=False) as opened:
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
def cirsse() -> Iterator[tc.CellClient]:
    with tc.open_cell("cirsse", plant="fake", keep_poses=False) as opened, opened.control("test"):
        for name in ("FL", "FR"):
            opened.manipulator(name).power(True)
            opened.manipulator(name).set_tip_speed(5.0)
        yield opened
