"""Set-points as they come, and the way to the newest of them: smooth for slow streams, and never beyond a set-point."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.errors import JointOutOfRange, SnapshotMismatch
from telecell.messages import Origin
from telecell.trajectories import MotionLimits, Sample, Trajectory, build, plan_jerk_limited

Array = NDArray[np.float64]

LONGEST_INTERVAL_S = 1.0
INTERVAL_MEMORY = 0.3
"""Weight of the newest interval between two set-points in the running mean."""

INTERVALS_AHEAD = (2.0, 1.0, 0.0)
"""A set-point is approached over two intervals, so that the next one comes before the robot has slowed down; over less
where that would lead beyond it."""

SAME_SHARE = 0.98
APPROACH_SAMPLES = 17
PASSED = 1e-4
"""Rad or m beyond a set-point that count as passing it."""


class Stream(msgspec.Struct, frozen=True):
    """The stream that a robot follows.

    Attributes:
        request: the newest set-point.
        goal: its joint values.
        heard_s: when its sender last gave a sign of life.
        changed_s: when the newest set-point came.
        interval_s: running mean of the time between set-points.
        share: of the axes' speeds that the tips allow on the way to it.
        planned: the motion under way leads to the goal.
        ends: the sender has finished; the robot arrives and holds.
    """

    request: Origin
    goal: tuple[float, ...]
    heard_s: float
    changed_s: float
    interval_s: float
    share: float = 1.0
    planned: bool = False
    ends: bool = False


def continue_stream(before: Stream | None, request: Origin, goal: Array, now_s: float, period_s: float) -> Stream:
    """The stream with its newest set-point.

    Args:
        before: the stream so far; None for the first set-point.
        request: which brought it.
        goal: its joint values.
        now_s: when it came.
        period_s: the control period, the shortest interval that counts.
    """
    if before is None:
        return Stream(request, tuple(goal.tolist()), now_s, now_s, period_s)
    newest = min(max(now_s - before.changed_s, period_s), LONGEST_INTERVAL_S)
    interval = before.interval_s + INTERVAL_MEMORY * (newest - before.interval_s)
    return Stream(request, tuple(goal.tolist()), now_s, now_s, interval, before.share)


def maybe_approach(stream: Stream, limits: MotionLimits, state: Sample) -> Trajectory | None:
    """A way to the set-point: gentle if that does not lead beyond it, else the shortest.

    Args:
        stream: whose newest set-point is the goal.
        limits: of the axes.
        state: where the axes are on their path, and how they move along it.

    Returns:
        None while every way would leave the limits: the robot is too fast for it.
    """
    slower, goal = limits.scaled(stream.share), np.array(stream.goal)
    for intervals in INTERVALS_AHEAD:
        try:
            plan = plan_jerk_limited(
                slower,
                state.position,
                goal,
                velocity=state.velocity,
                acceleration=state.acceleration,
                synchronised=intervals > 0.0,
                least_duration_s=intervals * stream.interval_s,
            )
        except JointOutOfRange:
            continue
        trajectory = build(plan)
        if intervals == 0.0 or not _passes_goal(trajectory):
            return trajectory
    return None


def _passes_goal(trajectory: Trajectory) -> bool:
    """Whether an axis goes farther than its goal, or back beyond its start, on the way."""
    position = trajectory.sample(np.linspace(0.0, trajectory.duration_s, APPROACH_SAMPLES)).position
    low = np.minimum(trajectory.start, trajectory.goal) - PASSED
    high = np.maximum(trajectory.start, trajectory.goal) + PASSED
    return bool((position < low).any() or (position > high).any())


def validate_stream(stream: Stream, axes: int) -> None:
    """Refuse a stream that was damaged in a snapshot.

    Raises:
        SnapshotMismatch: with what is wrong.
    """
    if not np.isfinite([stream.heard_s, stream.changed_s, stream.interval_s]).all() or stream.interval_s <= 0:
        raise SnapshotMismatch("damaged stream", value=stream)
    if not 0.0 < stream.share <= 1.0:
        raise SnapshotMismatch("damaged stream", value=stream.share, limit="above 0, at most 1")
    if len(stream.goal) != axes or not np.isfinite(stream.goal).all():
        raise SnapshotMismatch("damaged set-point", value=stream.goal, limit=f"{axes} finite numbers")
