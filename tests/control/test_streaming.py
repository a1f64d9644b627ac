"""Streams of set-points at any rate: no jump, inside the limits, nothing beyond what was sent; silence stops."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from soak.operator import Operator
from telecell.messages import Placement, Refused, events, granting, moves, queries, settings, stopping
from telecell.messages.replies import Accepted, Located

from .recording import record

RATES_HZ = [1, 5, 20, 100, 250, 500]
AMPLITUDE = 0.2
SWEEP_S = 8.0
AXES = np.array([1.0, 0.0, 0.0, 0.0, 0.5, 0.0])


class Streamed(NamedTuple):
    """What came of a stream, one row per tick; `goals` are the newest set-points sent."""

    start: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    goals: np.ndarray


def sweep(time_s: float) -> np.ndarray:
    """Slowly there and back."""
    return AMPLITUDE * (1 - np.cos(2 * np.pi * time_s / SWEEP_S)) / 2 * AXES


def list_arrivals(rate_hz: int, jitter: float, seed: int = 1) -> Iterator[float]:
    """Moments at which set-points arrive, early and late by a share of their interval."""
    chance = random.Random(seed)
    for number in range(1, round(SWEEP_S * rate_hz) + 1):
        yield (number + jitter * chance.uniform(-0.5, 0.5)) / rate_hz


def stream(operator: Operator, rate_hz: int) -> Streamed:
    """Sweep with set-points and, where they are rare, renewals."""
    start = operator.observer.command.q_desired.copy()
    arrivals, period = list(list_arrivals(rate_hz, jitter=0.6)), operator.running.plant.period_s
    goal, rows = start, []
    for tick in range(round(SWEEP_S / period)):
        due = [moment for moment in arrivals if tick * period <= moment < (tick + 1) * period]
        for moment in due:
            goal = start + sweep(moment)
            operator.send(moves.StreamJoints, robot="puma", joints=tuple(goal.tolist()))
        if not due and tick % 10 == 0 and operator.books.modes["puma"] == "tracking":
            operator.send(moves.Renew, robot="puma")
        assert not [reply for reply in operator.step() if isinstance(reply, Refused)]
        rows.append((operator.observer.command.q_desired, operator.observer.command.v_desired, goal))
    assert operator.list_wrongs() == []
    return Streamed(start, *(np.array(column) for column in zip(*rows, strict=True)))


@pytest.fixture(scope="module", params=RATES_HZ)
def streamed(request: pytest.FixtureRequest) -> tuple[int, Streamed]:
    return request.param, stream(Operator("puma").bring_up(), request.param)


def test_a_stream_is_followed(streamed: tuple[int, Streamed]):
    rate_hz, run = streamed
    # Behind by the two intervals over which a set-point is approached, jitter, and the time that speeding up takes.
    behind_s = 3.5 / rate_hz + 0.4
    assert np.abs(run.positions - run.goals).max() < AMPLITUDE * np.pi / SWEEP_S * behind_s


def test_nothing_is_commanded_beyond_what_was_sent(streamed: tuple[int, Streamed]):
    _, run = streamed
    sent = np.vstack([run.start, run.goals])
    assert (run.positions <= np.maximum.accumulate(sent)[1:] + 1e-9).all()
    assert (run.positions >= np.minimum.accumulate(sent)[1:] - 1e-9).all()


def test_the_robot_does_not_stop_between_set_points_from_5_hz_on(streamed: tuple[int, Streamed]):
    rate_hz, run = streamed
    eighth = len(run.velocities) // 8
    on_the_way = run.velocities[eighth : 3 * eighth, 0]
    if rate_hz >= 5:
        assert on_the_way.min() > 0.0


def test_silence_stops_after_100_ms_and_latches(puma: Operator):
    start = puma.observer.command.q_desired
    for tick in range(50):
        puma.ask(moves.StreamJoints, robot="puma", joints=tuple((start + sweep(0.02 * tick)).tolist()))
    silent_from = puma.running.tick
    puma.run_until(lambda: puma.has_stopped("silence"), 0.2)
    (stop,) = puma.happened(events.Stopped)
    assert silent_from + 24 <= stop.tick <= silent_from + 26
    assert "0.1 s" in stop.reason
    puma.settle()
    assert puma.books.modes["puma"] == "stopped"
    assert [event.outcome for event in puma.happened(events.StreamEnded)] == ["stopped"]
    refused = puma.ask(moves.StreamJoints, robot="puma", joints=tuple(start.tolist()))
    assert isinstance(refused, Refused)
    assert refused.error.kind == "MotionStopped"


def test_a_page_may_be_silent_for_300_ms(puma: Operator):
    puma.ask(granting.ReleaseGrant)
    puma.ask(granting.Acquire, holder="a page", source="page")
    start = puma.observer.command.q_desired
    puma.ask(moves.StreamJoints, robot="puma", joints=tuple((start + 0.3).tolist()))
    silent_from = puma.running.tick
    puma.run_until(lambda: puma.has_stopped("silence"), 0.5)
    (stop,) = puma.happened(events.Stopped)
    assert silent_from + 74 <= stop.tick <= silent_from + 76


def test_renewals_keep_a_stream_alive_that_has_nothing_new(puma: Operator):
    start = puma.observer.command.q_desired
    puma.ask(moves.StreamJoints, robot="puma", joints=tuple((start + 0.05).tolist()))
    for _ in range(30):
        puma.send(moves.Renew, robot="puma")
        puma.run(0.08)
    assert puma.books.modes["puma"] == "tracking"
    assert puma.observer.command.q_desired == pytest.approx(start + 0.05, abs=1e-9)


def test_the_end_of_a_stream_arrives_and_holds(puma: Operator):
    start = puma.observer.command.q_desired
    puma.ask(moves.StreamJoints, robot="puma", joints=tuple((start + 0.05).tolist()))
    puma.ask(moves.EndStream, robot="puma")
    puma.settle()
    assert puma.books.modes["puma"] == "holding"
    assert puma.observer.command.q_desired == pytest.approx(start + 0.05, abs=1e-9)
    assert [event.outcome for event in puma.happened(events.StreamEnded)] == ["arrived"]


def test_a_set_point_outside_the_limits_is_clipped_and_says_so(puma: Operator):
    start = puma.observer.command.q_desired.copy()
    start[0] = 10.0
    reply = puma.ask(moves.StreamJoints, robot="puma", joints=tuple(start.tolist()))
    assert isinstance(reply, Accepted)
    assert reply.clipped == ("puma/waist",)
    assert reply.goal[0] == puma.running.cell.axes[0].software_limits[1]


def test_halt_ends_a_stream_without_a_latch(puma: Operator):
    start = puma.observer.command.q_desired
    puma.ask(moves.StreamJoints, robot="puma", joints=tuple((start + 0.3).tolist()))
    puma.run(0.08)
    puma.ask(stopping.Halt, robot="puma")
    puma.settle()
    assert puma.books.modes["puma"] == "holding"


def test_a_streamed_pose_is_followed_on_its_branch(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="work")
    puma.settle()
    located = puma.ask(queries.Where, robot="puma")
    assert isinstance(located, Located)
    x, y, z = located.frames["tool"].position_m
    for step in range(1, 60):
        target = Placement((x, y + 0.001 * step, z), located.frames["tool"].quaternion_wxyz)
        assert isinstance(puma.ask(moves.StreamPose, robot="puma", target=target), Accepted)
    for _ in range(25):
        puma.ask(moves.Renew, robot="puma")
        record(puma, 0.02)
    puma.ask(moves.EndStream, robot="puma")
    puma.settle()
    located = puma.ask(queries.Where, robot="puma")
    assert isinstance(located, Located)
    # Two encoder counts of 1e-4 rad at an arm's length.
    assert located.frames["tool"].position_m == pytest.approx((x, y + 0.059, z), abs=3e-4)


def test_a_streamed_pose_that_needs_another_branch_is_refused(puma: Operator):
    far = Placement((0.4, -0.3, -0.3), (0.0, 1.0, 0.0, 0.0))
    reply = puma.ask(moves.StreamPose, robot="puma", target=far)
    assert isinstance(reply, Refused)
    assert reply.error.kind == "NoSolution"


def test_a_stream_and_a_queue_exclude_each_other(puma: Operator):
    start = tuple(puma.observer.command.q_desired.tolist())
    puma.ask(moves.StreamJoints, robot="puma", joints=start)
    refused = puma.ask(moves.Home, robot="puma")
    assert isinstance(refused, Refused)
    assert "stream" in refused.error.text
    puma.ask(stopping.Halt, robot="puma")
    puma.settle()
    puma.ask(moves.MoveNamed, robot="puma", pose="work")
    refused = puma.ask(moves.StreamJoints, robot="puma", joints=start)
    assert isinstance(refused, Refused)
    assert refused.error.kind == "AxisBusy"


def test_a_stream_that_asks_for_a_fast_tip_gets_a_slow_one(puma: Operator):
    puma.ask(moves.MoveNamed, robot="puma", pose="zero")
    puma.settle()
    puma.ask(settings.SetTipSpeed, robot="puma", speed_m_s=0.1)
    for _ in range(100):
        puma.ask(moves.StreamJoints, robot="puma", joints=(0.5, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert puma.observer.fastest_tip_m_s <= 0.25 * 1.02
    assert np.abs(puma.observer.command.v_desired[0]) < 0.3
