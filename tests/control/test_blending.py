"""Queued segments blend: no stop in between, limits hold on the sum, and a blend of 0 comes to rest at the corner."""

import numpy as np
import pytest

from soak.operator import Operator
from telecell.messages import Refused, events, moves, replies

from .recording import record_until_still

CORNERS = [(0.3, 0.0, 0.0, 0.0, 0.0, 0.0), (0.3, 0.25, 0.0, 0.0, 0.2, 0.0), (0.6, 0.25, -0.2, 0.0, 0.2, 0.0)]


def queue(operator: Operator, blend: float, scheme: str = "jerk_limited") -> list[replies.Queued]:
    """Three moves at once, all answered before the first is over."""
    start = operator.observer.command.q_desired
    for corner in CORNERS:
        joints = tuple((start + corner).tolist())
        operator.send(moves.MoveJoints, robot="puma", joints=joints, blend=blend, scheme=scheme)
    answered = operator.step()
    assert all(isinstance(reply, replies.Queued) for reply in answered)
    return list(answered)  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize("scheme", ["jerk_limited", "parabolic", "quintic"])
def test_three_queued_moves_pass_without_a_stop_in_between(puma: Operator, scheme: str):
    answered = queue(puma, 1.0, scheme)
    assert [reply.segment for reply in answered] == [1, 2, 3]
    _, velocities = record_until_still(puma)
    speeds = np.linalg.norm(velocities, axis=1)
    between = speeds[40 : np.flatnonzero(speeds)[-1] - 40]
    assert between.min() > 0.02
    assert [event.segment for event in puma.happened(events.SegmentEnded)] == [1, 2, 3]


def test_a_blend_of_zero_comes_to_rest_at_every_corner(puma: Operator):
    start = puma.observer.command.q_desired
    queue(puma, 0.0)
    positions, velocities = record_until_still(puma)
    speeds = np.linalg.norm(velocities, axis=1)
    for corner in CORNERS[:-1]:
        nearest = np.linalg.norm(positions - start - corner, axis=1).argmin()
        # The corner lies between two ticks: a jerk of 20 rad/s³ moves less than a microradian in one from rest.
        assert speeds[nearest] < 1e-3
        assert positions[nearest] == pytest.approx(start + corner, abs=1e-5)


def test_blending_is_quicker_than_stopping_and_ends_at_the_same_place(puma: Operator):
    start = puma.observer.command.q_desired
    lasting = []
    for blend in (0.0, 1.0):
        puma.restart().bring_up()
        queue(puma, blend)
        positions, _ = record_until_still(puma)
        lasting.append(len(positions))
        assert positions[-1] == pytest.approx(start + CORNERS[-1], abs=1e-12)
    assert lasting[1] < 0.9 * lasting[0]


def test_a_segment_queued_late_still_joins(puma: Operator):
    start = puma.observer.command.q_desired
    puma.ask(moves.MoveJoints, robot="puma", joints=tuple((start + CORNERS[0]).tolist()))
    puma.run(0.4)
    puma.ask(moves.MoveJoints, robot="puma", joints=tuple((start + CORNERS[1]).tolist()))
    positions, _ = record_until_still(puma)
    assert positions[-1] == pytest.approx(start + CORNERS[1], abs=1e-12)


def test_the_queue_is_bounded(puma: Operator):
    for _ in range(65):
        puma.send(moves.MoveJointsBy, robot="puma", increments=(1e-3,) * 6)
    answered = puma.step()
    assert [isinstance(reply, Refused) for reply in answered] == [False] * 64 + [True]
    assert answered[-1].error.kind == "QueueFull"  # pyright: ignore[reportAttributeAccessIssue]


def test_the_time_to_the_end_is_told(puma: Operator):
    answered = queue(puma, 1.0)
    positions, _ = record_until_still(puma)
    assert answered[-1].ends_in_s == pytest.approx(0.004 * len(positions), abs=0.02)
