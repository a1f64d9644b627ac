"""Speed factor, pause, resume and halt change how fast a path is followed, never the path."""

import numpy as np
import pytest

from soak.operator import Operator
from telecell.control.rate import PathRate, RateState
from telecell.messages import Refused, events, granting, moves, settings, stopping
from telecell.trajectories import Sample

from .recording import measure_distances, record, record_until_still

GOAL = (0.8, -1.2, 1.2, 0.5, -0.4, 0.9)
LINE = 1e-9
"""Rad: positions are on the line to within rounding."""


def begin(operator: Operator, **fields) -> tuple[np.ndarray, np.ndarray]:
    start = operator.observer.command.q_desired
    operator.ask(moves.MoveJoints, robot="puma", joints=GOAL, **fields)
    return start, np.array(GOAL)


@pytest.mark.parametrize("scheme", ["jerk_limited", "parabolic", "quintic"])
def test_a_changing_speed_factor_stays_on_the_path(puma: Operator, scheme: str):
    start, goal = begin(puma, scheme=scheme)
    rows = []
    for factor in (0.3, 1.0, 0.05, 0.6, 1.0):
        puma.send(settings.SetSpeedFactor, robot="puma", factor=factor)
        rows.append(record(puma, 0.3)[0])
    rows.append(record_until_still(puma)[0])
    positions = np.concatenate(rows)
    assert measure_distances(positions, start, goal).max() < LINE
    assert positions[-1] == pytest.approx(goal, abs=1e-12)


def test_half_the_speed_factor_takes_twice_as_long(puma: Operator):
    begin(puma)
    whole = len(record_until_still(puma)[0])
    puma.restart().bring_up()
    puma.ask(settings.SetSpeedFactor, robot="puma", factor=0.5)
    begin(puma)
    assert len(record_until_still(puma)[0]) == pytest.approx(2 * whole, abs=4)


def test_pause_rests_on_the_path_and_resume_goes_on(puma: Operator):
    start, goal = begin(puma)
    puma.run(0.8)
    puma.ask(stopping.Pause, robot="puma")
    before, _ = record(puma, 2.0)
    assert np.ptp(before[-50:], axis=0).max() == 0.0
    assert measure_distances(before, start, goal).max() < LINE
    assert puma.books.modes["puma"] == "moving"
    puma.ask(stopping.Resume, robot="puma")
    after, _ = record_until_still(puma)
    assert measure_distances(after, start, goal).max() < LINE
    assert after[-1] == pytest.approx(goal, abs=1e-12)
    assert [event.outcome for event in puma.happened(events.SegmentEnded)] == ["arrived"]


def test_halt_ends_on_the_path_and_latches_nothing(puma: Operator):
    start, goal = begin(puma)
    puma.run(0.8)
    puma.ask(stopping.Halt, robot="puma")
    positions, velocities = record_until_still(puma)
    assert measure_distances(positions, start, goal).max() < LINE
    assert (np.diff(np.linalg.norm(velocities, axis=1)) <= 1e-9).all()
    assert puma.books.modes["puma"] == "holding"
    assert [event.outcome for event in puma.happened(events.SegmentEnded)] == ["halted"]
    assert not isinstance(puma.ask(moves.Home, robot="puma"), Refused)


def test_halt_drops_what_is_queued(puma: Operator):
    begin(puma)
    puma.ask(moves.Home, robot="puma")
    puma.ask(stopping.Halt, robot="puma")
    puma.settle()
    puma.run(0.5)
    assert [event.outcome for event in puma.happened(events.SegmentEnded)] == ["halted", "halted"]


@pytest.mark.parametrize("kind", [stopping.Halt, stopping.Stop])
def test_no_segment_begins_once_the_robot_is_to_rest(puma: Operator, kind: type):
    """Asked shortly before the end of the first segment, the ramp would otherwise lead into the second."""
    start, goal = begin(puma, blend=0.0)
    puma.ask(moves.Home, robot="puma")
    puma.run_until(lambda: np.abs(puma.observer.command.q_desired - goal).max() < 1e-3, 20.0)
    puma.ask(kind, **({"author": "watcher"} if kind is stopping.Stop else {"robot": "puma"}))
    positions, _ = record_until_still(puma)
    assert measure_distances(positions, start, goal).max() < LINE
    assert (np.diff(positions, axis=0) @ (goal - start) >= -1e-12).all()
    assert [event.segment for event in puma.happened(events.SegmentStarted)] == [1]
    assert sorted(event.segment for event in puma.happened(events.SegmentEnded)) == [1, 2]


def test_a_move_that_is_asked_for_in_a_pause_waits_for_resume(puma: Operator):
    begin(puma)
    puma.ask(stopping.Pause, robot="puma")
    puma.run(1.5)
    here = puma.observer.command.q_desired
    puma.ask(moves.Home, robot="puma")
    puma.run(0.5)
    assert (puma.observer.command.q_desired == here).all()


def test_release_of_control_halts(puma: Operator):
    start, goal = begin(puma)
    puma.run(0.8)
    puma.ask(granting.ReleaseGrant)
    positions, _ = record_until_still(puma)
    assert measure_distances(positions, start, goal).max() < LINE
    assert puma.books.modes["puma"] == "holding"


def test_the_rate_never_leaves_zero_to_one_and_arrives():
    rate = PathRate(np.array([2.0]), np.array([20.0]), 0.004)
    path = Sample(np.zeros(1), np.ones(1), np.zeros(1))
    seen = [rate.step(1.0, path) for _ in range(500)]
    seen += [rate.step(0.0, path) for _ in range(500)]
    assert 0.0 <= min(seen) <= max(seen) <= 1.0
    assert (seen[499], seen[-1]) == (1.0, 0.0)
    assert np.abs(np.diff(seen)).max() <= 0.004 * 2.0


def test_a_path_that_brakes_already_leaves_no_room_for_more():
    rate = PathRate(np.array([2.0]), np.array([20.0]), 0.004)
    rate.state = RateState(1.0, 0.0)
    least, greatest, _ = rate.compute_room(Sample(np.zeros(1), np.ones(1), np.array([-1.5])), 1.0)
    assert least == pytest.approx(-(0.98 * 2.0 - 1.5))
    assert greatest == pytest.approx(0.98 * 2.0 + 1.5)
