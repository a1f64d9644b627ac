"""Segments on one path time: the head of each may begin before the tail of the former has ended.

Where two segments overlap their motions add up: q = q1(t) + q2(t - begin2) - start2. Each of them goes from rest to
rest, so nothing jumps, and for linear motion with parabolic blends of equal length the sum is exactly the parabola
through the knot.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

import msgspec
import numpy as np

from telecell.errors import SnapshotMismatch
from telecell.messages import Origin
from telecell.trajectories import AnyPlan, BrakePlan, MotionLimits, Sample, Trajectory, build

GRID = 64
OVERLAPS = (1.0, 0.8, 0.6, 0.4, 0.25, 0.15, 0.08)
"""Shares of the longest possible overlap that are tried, the longest first."""

PEAK = 0.999
ROUNDING = 1e-9
TOLERANCE = 1.001
"""On the limits of a sum: an axis that stays where it is still moves by an encoder count."""
SLACK = 1e-5
"""What rounding may add to the numbers of a saved plan."""


class Segment(msgspec.Struct):
    """One queued piece of motion.

    Attributes:
        number: the segment's own.
        request: which asked for it.
        trajectory: its motion, from rest to rest.
        begin_s: when it begins, in path time.
        blend: share of the possible overlap with the next segment that may be used.
        started: it has begun.
    """

    number: int
    request: Origin
    trajectory: Trajectory
    begin_s: float
    blend: float
    started: bool = False

    @property
    def end_s(self) -> float:
        """When it is over, in path time."""
        return self.begin_s + self.trajectory.duration_s


class SegmentState(msgspec.Struct, frozen=True):
    """A segment as plain values."""

    number: int
    request: Origin
    plan: AnyPlan
    begin_s: float
    blend: float
    started: bool


class Timeline:
    """The segments of one robot that are not yet at their end.

    Attributes:
        segments: in order; the first is under way.
        time_s: path time.
    """

    def __init__(self, limits: MotionLimits):
        self._limits = limits
        self.segments: deque[Segment] = deque()
        self.time_s = 0.0

    def __bool__(self) -> bool:
        return bool(self.segments)

    @property
    def end_s(self) -> float:
        """When everything is over, in path time."""
        return self.segments[-1].end_s if self.segments else self.time_s

    def append(self, number: int, request: Origin, trajectory: Trajectory, blend: float) -> Segment:
        """Queue a segment that starts where the last one ends."""
        begin = self.end_s
        if self.segments:
            begin -= self._find_overlap(self.segments[-1], trajectory)
        else:
            self.time_s = begin = 0.0
        self.segments.append(Segment(number, request, trajectory, begin, blend))
        return self.segments[-1]

    def _find_overlap(self, last: Segment, following: Trajectory) -> float:
        """The longest overlap of tail and head in which every axis keeps its limits."""
        possible = last.blend * min(_measure_tail(last.trajectory), _measure_head(following))
        possible = min(possible, last.end_s - max(self.time_s, last.begin_s))
        if possible <= 0.0:
            return 0.0
        for share in OVERLAPS:
            if self._fits(last.trajectory, following, share * possible):
                return share * possible
        return 0.0

    def _fits(self, last: Trajectory, following: Trajectory, overlap_s: float) -> bool:
        times = np.linspace(0.0, overlap_s, GRID)
        tail, head = last.sample(last.duration_s - overlap_s + times), following.sample(times)
        limits = self._limits
        position = tail.position + head.position - following.start
        allowed = limits.compute_range(last.start)
        return bool(
            (np.abs(tail.velocity + head.velocity) <= limits.velocity * TOLERANCE).all()
            and (np.abs(tail.acceleration + head.acceleration) <= limits.acceleration * TOLERANCE).all()
            and (position >= allowed[:, 0] - ROUNDING).all()
            and (position <= allowed[:, 1] + ROUNDING).all()
        )

    def at(self, time_s: float) -> Sample:
        """Position, and velocity and acceleration at full rate, at a path time."""
        first = self.segments[0]
        sample = first.trajectory.at(time_s - first.begin_s)
        for segment in islice(self.segments, 1, None):
            if segment.begin_s >= time_s:
                break
            head = segment.trajectory.at(time_s - segment.begin_s)
            sample = Sample(
                sample.position + head.position - segment.trajectory.start,
                sample.velocity + head.velocity,
                sample.acceleration + head.acceleration,
            )
        return sample

    def take_started(self) -> list[Segment]:
        """Segments that have begun since the last call."""
        fresh = []
        for segment in self.segments:
            if segment.begin_s > self.time_s:
                break
            if not segment.started:
                segment.started = True
                fresh.append(segment)
        return fresh

    def take_ended(self) -> list[Segment]:
        """Segments that have arrived since the last call; they are no longer in the queue."""
        ended = []
        while self.segments and self.segments[0].end_s <= self.time_s:
            ended.append(self.segments.popleft())
        return ended

    def drop_unstarted(self) -> list[Segment]:
        """Drop what has not begun, except the first: each segment ends at rest, so the others can do without it."""
        dropped = []
        while len(self.segments) > 1 and not self.segments[-1].started:
            dropped.append(self.segments.pop())
        return dropped[::-1]

    def clear(self) -> list[Segment]:
        """Drop everything."""
        dropped = list(self.segments)
        self.segments.clear()
        self.time_s = 0.0
        return dropped

    def save(self) -> tuple[SegmentState, ...]:
        """Plain values."""
        return tuple(
            SegmentState(s.number, s.request, s.trajectory.plan, s.begin_s, s.blend, s.started)  # pyright: ignore[reportArgumentType]
            for s in self.segments
        )

    def restore(self, segments: tuple[SegmentState, ...], time_s: float) -> None:
        """Go on from saved values.

        Raises:
            SnapshotMismatch: they are damaged.
        """
        restored = [Segment(s.number, s.request, build(s.plan), s.begin_s, s.blend, s.started) for s in segments]
        self._validate(restored, time_s)
        self.segments = deque(restored)
        self.time_s = time_s

    def _validate(self, segments: list[Segment], time_s: float) -> None:
        where = None
        for segment in segments:
            if len(segment.trajectory.goal) != len(self._limits) or not np.isfinite(segment.begin_s):
                raise SnapshotMismatch("damaged segment", value=segment.number, limit=len(self._limits))
            if where is not None and np.abs(segment.trajectory.start - where).max() > ROUNDING:
                raise SnapshotMismatch("segments do not join", value=segment.number)
            where = segment.trajectory.goal
            self._validate_motion(segment.trajectory)
        if not np.isfinite(time_s):
            raise SnapshotMismatch("damaged path time", value=time_s)

    def _validate_motion(self, trajectory: Trajectory) -> None:
        """A plan from outside must keep the limits; only a brake may begin beyond them."""
        sample = trajectory.sample(np.linspace(0.0, trajectory.duration_s, GRID + 1))
        allowed = self._limits.compute_range(trajectory.start)
        kept = [(sample.position >= allowed[:, 0] - SLACK).all(), (sample.position <= allowed[:, 1] + SLACK).all()]
        if not isinstance(trajectory.plan, BrakePlan):
            kept.append((np.abs(sample.velocity) <= self._limits.velocity * (1 + SLACK)).all())
            kept.append((np.abs(sample.acceleration) <= self._limits.acceleration * (1 + SLACK)).all())
        if not all(kept):
            raise SnapshotMismatch("motion outside the limits", value=type(trajectory.plan).__name__)


def _measure_head(trajectory: Trajectory) -> float:
    """How long the motion gathers speed, at most half of it."""
    times, speeds = _sample_speeds(trajectory)
    return float(min(times[np.argmax(speeds >= PEAK * speeds.max())], trajectory.duration_s / 2))


def _measure_tail(trajectory: Trajectory) -> float:
    """How long the motion comes to rest, at most half of it."""
    times, speeds = _sample_speeds(trajectory)
    last = len(speeds) - 1 - np.argmax(speeds[::-1] >= PEAK * speeds.max())
    return float(min(trajectory.duration_s - times[last], trajectory.duration_s / 2))


def _sample_speeds(trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    times = np.linspace(0.0, trajectory.duration_s, GRID + 1)
    return times, np.linalg.norm(trajectory.sample(times).velocity, axis=1)
