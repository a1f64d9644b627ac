"""The observer is not blind: each broken promise is seen, and a good motion is not blamed."""

from dataclasses import replace

import numpy as np
import pytest

from soak.observer import RAMP_S, Observer
from telecell.contract import Command, Drive
from telecell.messages import Grant, events, stopping
from telecell.messages.granting import ReleaseGrant
from telecell.messages.settings import SetTipSpeed
from telecell.models import load_cell
from telecell.plant import FakePlant

CELL = load_cell("puma")
NAMES = tuple(axis.name for axis in CELL.axes)
START = np.array(CELL.start)
RESET = stopping.Reset(sequence=1, grant=Grant("test", 1))
WAIST = np.array([1.0, 0, 0, 0, 0, 0])
SHOULDER = np.array([0.0, 1, 0, 0, 0, 0])


@pytest.fixture
def observer() -> Observer:
    observer = Observer(FakePlant(CELL))
    observer.step(Command.holding(CELL, START))
    observer.review()
    return observer


def follow(observer: Observer, path: np.ndarray, accepted=(), happened=()) -> list[str]:
    """Command positions with the velocities that belong to them."""
    speeds = np.diff(path, axis=0, prepend=path[:1]) / observer.period_s
    for q, v in zip(path, speeds, strict=True):
        observer.step(replace(Command.holding(CELL, q), v_desired=v))
        observer.review(accepted, happened)
        accepted, happened = (), ()
    return observer.violations


def build_path(acceleration: float, ticks: int, axis: np.ndarray = WAIST) -> np.ndarray:
    """From rest, gathering speed."""
    times = 0.004 * np.arange(ticks)
    return START + 0.5 * acceleration * times[:, None] ** 2 * axis


def stop(*, cause: str = "stop") -> events.Stopped:
    return events.Stopped(number=1, tick=0, cause=cause, category=2, axes=NAMES, reason="a test")


def change(what: str, axes: tuple[str, ...] = NAMES) -> events.GrantChanged:
    return events.GrantChanged(number=1, tick=0, change=what, holder="Ada", axes=axes, reason="a test", tenure=1)


def test_a_good_motion_is_not_blamed(observer: Observer):
    assert follow(observer, build_path(1.0, 40)) == []


def test_a_hard_acceleration_is_seen(observer: Observer):
    assert "accelerates too hard" in " ".join(follow(observer, build_path(3.0, 40)))


def test_a_jump_is_seen(observer: Observer):
    assert "too fast" in " ".join(follow(observer, np.array([START, START + 0.05 * WAIST])))


def test_a_fast_tip_is_seen_by_its_own_kinematics(observer: Observer):
    assert "tip puma/flange" in " ".join(follow(observer, build_path(2.0, 100, SHOULDER)))


def test_a_tip_may_be_faster_once_that_was_asked_for_and_not_after_control_was_given_back(observer: Observer):
    faster = SetTipSpeed(sequence=1, robot="puma", speed_m_s=1.0)
    path = build_path(2.0, 100, SHOULDER)
    assert follow(observer, path, accepted=[faster]) == []
    on = path[-1] + 0.004 * np.arange(1, 500)[:, None] * 0.8 * SHOULDER
    back = follow(observer, on, accepted=[ReleaseGrant(sequence=2)], happened=[change("released")])
    assert "tip puma/flange" in " ".join(back)


def test_a_set_point_outside_the_limits_is_seen(observer: Observer):
    outside = START.copy()
    outside[0] = CELL.axes[0].software_limits[1] + 1e-4
    assert "outside the limits" in " ".join(follow(observer, np.array([outside])))


def test_a_number_that_is_not_finite_is_seen():
    observer = Observer(FakePlant(CELL))
    observer.step(Command.holding(CELL, START))
    bad = replace(Command.holding(CELL, START), v_desired=np.full(6, np.nan))
    with pytest.raises(Exception, match="not finite"):
        observer.step(bad)
    observer.review()
    assert observer.violations == []


def test_a_set_point_that_begins_away_from_the_measurement_is_seen():
    observer = Observer(FakePlant(CELL))
    observer.step(Command.holding(CELL, START, Drive.OFF))
    observer.step(Command.holding(CELL, START + 0.1))
    observer.review()
    assert "away from the measurement" in " ".join(observer.violations)


def test_a_new_set_point_after_a_stop_is_seen(observer: Observer):
    assert follow(observer, np.array([START, START]), happened=[stop()]) == []
    assert "gets new set-points" in " ".join(follow(observer, build_path(1.0, 4)))


def test_motion_after_reset_is_not_blamed(observer: Observer):
    follow(observer, np.array([START, START]), happened=[change("acquired"), stop()])
    assert follow(observer, build_path(1.0, 4), accepted=[RESET]) == []


def test_a_reset_lets_only_the_axes_of_its_grant_go(observer: Observer):
    follow(observer, np.array([START, START]), happened=[change("acquired", NAMES[1:]), stop()])
    assert "puma/waist: a stopped axis" in " ".join(follow(observer, build_path(1.0, 4), accepted=[RESET]))


def test_power_on_a_stopped_axis_is_seen(observer: Observer):
    observer.step(Command.holding(CELL, START, Drive.OFF))
    observer.review(happened=[stop(cause="power_lost")])
    observer.step(Command.holding(CELL, START))
    observer.review()
    assert "switched on" in " ".join(observer.violations)


def test_a_ramp_that_does_not_end_is_seen(observer: Observer):
    path = START + 0.004 * np.arange(round(RAMP_S / 0.004) + 10)[:, None] * 0.005 * WAIST
    follow(observer, path[:2])
    assert "still not at rest" in " ".join(follow(observer, path[2:], happened=[stop()]))
