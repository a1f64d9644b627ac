"""Each finding names its axis, value and limit."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from telecell.contract import Drive, Measurement
from telecell.control.axes import Axes
from telecell.control.monitors import Monitors
from telecell.models import load_cell

CELL = load_cell("puma")
START = np.array(CELL.start)


class Bench:
    """Axes under power, and what is measured."""

    def __init__(self):
        self.axes = Axes(CELL)
        self.monitors = Monitors(CELL, self.axes, 0.004)
        self.measured = replace(Measurement.resting(CELL, START.copy()), powered=np.ones(6, bool), tick=10)
        self.axes.switch_on(np.ones(6, bool), self.measured)
        assert self.monitors.find(self.measured) == []

    def is_well(self, **changes: Any) -> bool:
        return not self.monitors.find(replace(self.measured, **changes))

    def find(self, **changes: Any) -> tuple[str, str, list[bool]]:
        found = self.monitors.find(replace(self.measured, **changes))[0]
        return found.cause, found.reason, found.axes.tolist()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def shift(values: np.ndarray, axis: int, by: float) -> np.ndarray:
    return values + by * np.eye(6)[axis]


def test_nothing_is_found_while_all_is_well(bench: Bench):
    assert bench.is_well()


def test_an_axis_away_from_its_set_point_is_found(bench: Bench):
    assert bench.is_well(q_measured=shift(START, 2, 0.049))
    cause, reason, axes = bench.find(q_measured=shift(START, 2, 0.051))
    assert (cause, axes) == ("following_error", [False, False, True, False, False, False])
    assert "puma/elbow" in reason
    assert "2.922 deg" in reason
    assert "2.865 deg" in reason


def test_an_axis_beyond_its_limit_and_on_its_way_out_is_found(bench: Bench):
    upper = CELL.axes[1].software_limits[1]
    beyond = START.copy()
    beyond[1] = upper + np.radians(0.6)
    bench.axes.q_desired[1] = upper
    outward, inward = shift(np.zeros(6), 1, 0.2), shift(np.zeros(6), 1, -0.2)
    cause, reason, _ = bench.find(q_measured=beyond, v_measured=outward)
    assert cause == "position_limit"
    assert "puma/shoulder" in reason
    assert bench.is_well(q_measured=beyond, v_measured=inward)


def test_an_axis_faster_than_it_may_be_is_found(bench: Bench):
    fastest = CELL.axes[0].max_velocity
    assert bench.is_well(v_measured=shift(np.zeros(6), 0, -1.1 * fastest))
    cause, reason, _ = bench.find(v_measured=shift(np.zeros(6), 0, -1.3 * fastest))
    assert cause == "speed_limit"
    assert "deg/s" in reason


def test_a_drive_that_gives_too_much_is_found(bench: Bench):
    cause, reason, _ = bench.find(torque=shift(np.zeros(6), 4, 30.0))
    assert cause == "torque_limit"
    assert "puma/wrist_bend" in reason
    assert "30.0" in reason


def test_a_drive_that_loses_its_power_is_found(bench: Bench):
    cause, reason, axes = bench.find(powered=np.array([True, True, True, False, True, True]))
    assert (cause, axes[3]) == ("power_lost", True)
    assert "puma/wrist_rotation" in reason


def test_a_drive_that_never_gets_power_is_found_after_a_second():
    bench = Bench()
    bench.axes.switch_on(np.ones(6, bool), bench.measured)
    dark = replace(bench.measured, powered=np.zeros(6, bool))
    assert bench.monitors.find(replace(dark, tick=10 + 250)) == []
    assert [found.cause for found in bench.monitors.find(replace(dark, tick=10 + 251))] == ["power_lost"]


def test_an_open_door_does_not_hide_a_collision(bench: Bench):
    apart = replace(bench.measured, inputs=np.array([False, True]), q_measured=shift(START, 2, 0.2))
    assert [found.cause for found in bench.monitors.find(apart)] == ["guard_door", "following_error"]


@pytest.mark.parametrize(("index", "cause"), [(0, "guard_door"), (1, "emergency_stop")])
def test_an_open_guard_is_found_first(bench: Bench, index: int, cause: str):
    inputs = bench.measured.inputs.copy()
    inputs[index] = False
    found = bench.find(inputs=inputs, q_measured=START + 1.0, powered=np.zeros(6, bool))
    assert found[0] == cause
    assert all(found[2])


@pytest.mark.parametrize("value", [1e265, -1e7, float("nan"), float("inf")])
@pytest.mark.parametrize("field", ["q_measured", "v_measured"])
def test_a_measurement_that_no_axis_can_have_is_a_lost_plant_and_is_never_adopted(
    bench: Bench, field: str, value: float
):
    nonsense = {field: np.where(np.eye(6)[2] > 0, value, getattr(bench.measured, field))}
    cause, reason, _ = bench.find(**nonsense)
    assert cause == "plant_lost"
    assert "puma/elbow" in reason
    bench.axes.adopt(np.ones(6, bool), replace(bench.measured, **nonsense))
    assert bench.axes.q_desired == pytest.approx(START)


def test_an_axis_measured_far_behind_its_end_is_not_believed(bench: Bench):
    """A bad reading must not become a set-point, or the drive would try to go there."""
    assert bench.find(q_measured=shift(START, 1, 99.0))[0] == "plant_lost"


@pytest.mark.parametrize("drive", [Drive.OFF, Drive.FREE])
def test_axes_that_are_not_servoed_may_be_anywhere(bench: Bench, drive: Drive):
    bench.axes.drives[:] = drive
    assert bench.is_well(q_measured=START + 1.0, v_measured=np.full(6, 9.0))
