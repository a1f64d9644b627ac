"""Segments on one path time: they join, overlap inside the limits, and come out of a snapshot as they went in."""

import msgspec
import numpy as np
import pytest

from telecell.control.timeline import SegmentState, Timeline
from telecell.errors import SnapshotMismatch
from telecell.messages import Origin
from telecell.models import load_cell
from telecell.trajectories import MotionLimits, Trajectory, build, plan_parabolic

LIMITS = MotionLimits.from_axes(load_cell("puma").axes)
CORNERS = [np.zeros(6), np.full(6, 0.4), np.array([0.8, 0.4, 0.4, 0.8, 0.4, 0.4]), np.full(6, 0.2)]


def plan(number: int) -> Trajectory:
    return build(plan_parabolic(LIMITS, CORNERS[number], CORNERS[number + 1]))


def fill(blend: float = 1.0) -> Timeline:
    timeline = Timeline(LIMITS)
    for number in range(3):
        timeline.append(number + 1, Origin("tester", number + 10), plan(number), blend)
    return timeline


def sample(timeline: Timeline, count: int = 2000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    states = [timeline.at(time) for time in np.linspace(0.0, timeline.end_s, count)]
    return tuple(np.array(column) for column in zip(*states, strict=True))  # pyright: ignore[reportReturnType]


def test_overlapping_segments_keep_speed_and_acceleration():
    _, velocities, accelerations = sample(fill())
    assert (np.abs(velocities) <= LIMITS.velocity + 1e-9).all()
    assert (np.abs(accelerations) <= LIMITS.acceleration + 1e-9).all()


def test_the_motion_is_continuous_and_ends_at_the_last_goal():
    timeline = fill()
    positions, velocities, _ = sample(timeline)
    dt = timeline.end_s / 1999
    assert np.abs(np.diff(positions, axis=0)).max() <= LIMITS.velocity.max() * dt * 1.01
    assert np.abs(np.diff(velocities, axis=0)).max() <= LIMITS.acceleration.max() * dt * 1.01
    assert positions[-1] == pytest.approx(CORNERS[-1], abs=1e-12)


def test_a_blend_of_zero_follows_one_after_the_other():
    timeline = fill(blend=0.0)
    begins = [segment.begin_s for segment in timeline.segments]
    ends = [segment.end_s for segment in timeline.segments]
    assert begins[1:] == ends[:-1]


def test_more_blend_is_quicker():
    assert fill(1.0).end_s < fill(0.5).end_s < fill(0.0).end_s


def test_segments_start_and_end_once_each_in_order():
    timeline = fill()
    started, ended, end_s = [], [], timeline.end_s
    while timeline:
        started += [segment.number for segment in timeline.take_started()]
        ended += [segment.number for segment in timeline.take_ended()]
        timeline.time_s += end_s / 500
    assert (started, ended) == ([1, 2, 3], [1, 2, 3])


def test_saved_segments_go_on_bit_for_bit():
    timeline = fill()
    timeline.time_s = 0.7
    timeline.take_started()
    other = Timeline(LIMITS)
    packed = msgspec.msgpack.encode(timeline.save())
    other.restore(msgspec.msgpack.decode(packed, type=tuple[SegmentState, ...]), timeline.time_s)
    for time in np.linspace(0.7, timeline.end_s, 50):
        for a, b in zip(timeline.at(time), other.at(time), strict=True):
            assert a.tobytes() == b.tobytes()
    assert [segment.started for segment in other.segments] == [segment.started for segment in timeline.segments]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda states: states[1:2] + states[:1], "do not join"),
        (lambda states: (msgspec.structs.replace(states[0], begin_s=float("nan")),), "damaged segment"),
    ],
)
def test_damaged_segments_are_refused(change, text: str):
    with pytest.raises(SnapshotMismatch, match=text):
        Timeline(LIMITS).restore(change(fill().save()), 0.0)
    with pytest.raises(SnapshotMismatch, match="path time"):
        Timeline(LIMITS).restore(fill().save(), float("inf"))
