"""What one robot does: its queue or its stream, followed at the path rate."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.control.rate import PathRate, RateState
from telecell.control.stream import SAME_SHARE, Stream, continue_stream, maybe_approach, validate_stream
from telecell.control.timeline import Segment, SegmentState, Timeline
from telecell.errors import SnapshotMismatch
from telecell.messages import Origin
from telecell.trajectories import MotionLimits, Sample, Trajectory, build, plan_brake
from telecell.trajectories.trajectory import rest_at

Array = NDArray[np.float64]

Ending = Literal["halt", "stop"]


class MotionState(msgspec.Struct, frozen=True):
    """Plain values to go on from."""

    segments: tuple[SegmentState, ...] = ()
    time_s: float = 0.0
    rate: RateState = RateState()
    next_number: int = 1
    paused: bool = False
    ending: Ending | None = None
    braking: bool = False
    stream: Stream | None = None


class Motion:
    """The motion of one robot.

    Attributes:
        timeline: its segments; a stream has one, numbered 0, made anew for every set-point.
        rate: how fast they are followed.
        paused: on its way to rest, or at rest, on the path.
        ending: why it comes to rest for good.
        stream: what it follows instead of a queue.
    """

    def __init__(self, limits: MotionLimits, period_s: float):
        self.limits = limits
        self._period_s = period_s
        self.timeline = Timeline(limits)
        self.rate = PathRate(limits.acceleration, limits.jerk, period_s)
        self.next_number = 1
        self.paused = False
        self.ending: Ending | None = None
        self.stream: Stream | None = None
        self._braking = False
        self._next_time_s = 0.0
        self._rate_before = 0.0

    @property
    def active(self) -> bool:
        """Whether the robot's axes are this motion's."""
        return bool(self.timeline) or self.stream is not None

    @property
    def braking(self) -> bool:
        """Whether it comes to rest from the measured state, off its path."""
        return self._braking

    # Beginning

    def queue(self, request: Origin, trajectory: Trajectory, blend: float) -> Segment:
        """Append a segment."""
        segment = self.timeline.append(self.next_number, request, trajectory, blend)
        self.next_number += 1
        return segment

    def follow(self, request: Origin, goal: Array, q_desired: Array, now_s: float) -> None:
        """Take a set-point."""
        self.stream = continue_stream(self.stream, request, goal, now_s, self._period_s)
        self._replan(q_desired)

    def set_share(self, share: float, q_desired: Array) -> None:
        """Approach set-points with a share of the speeds: a smaller one at once, a larger one from the next on."""
        assert self.stream is not None
        slower = share < SAME_SHARE * self.stream.share
        self.stream = msgspec.structs.replace(self.stream, share=share)
        if slower:
            self._replan(q_desired)

    def hear(self, now_s: float, *, ends: bool = False) -> None:
        """The sender of the stream is still there, or has finished."""
        assert self.stream is not None
        self.stream = msgspec.structs.replace(self.stream, heard_s=now_s, ends=ends)

    def _replan(self, q_desired: Array) -> None:
        """Lead the motion on to the newest set-point; while that would leave the limits, stay on the old way."""
        assert self.stream is not None
        moving = bool(self.timeline) and self.rate.state.rate > 0.0
        state = self.timeline.at(self.timeline.time_s) if moving else rest_at(q_desired)
        trajectory = maybe_approach(self.stream, self.limits, state)
        if trajectory is not None:
            self.timeline.clear()
            self.timeline.append(0, self.stream.request, trajectory, 0.0).started = moving
            self.stream = msgspec.structs.replace(self.stream, planned=True)

    # Ending

    def end(self, ending: Ending) -> list[Segment]:
        """Come to rest on the path, for good; returns the segments that will not begin any more."""
        self.ending = "stop" if "stop" in (ending, self.ending) else "halt"
        return self.timeline.drop_unstarted()

    def brake(self, q_measured: Array, v_measured: Array) -> list[Segment]:
        """Leave the path and come to rest from the measured state."""
        dropped = self.drop()
        # A reading that no axis can have is a bad reading: never begin a ramp faster than the robot may be.
        speed = np.clip(v_measured, -self.limits.velocity, self.limits.velocity)
        plan = plan_brake(self.limits, q_measured, speed, np.zeros(len(speed)))
        self.timeline.append(0, Origin("", 0), build(plan), 0.0)
        self.ending, self._braking = "stop", True
        return dropped

    def drop(self) -> list[Segment]:
        """Forget everything at once."""
        dropped = [segment for segment in self.timeline.clear() if segment.number]
        self.rate.state = RateState()
        self.paused, self.ending, self.stream, self._braking = False, None, None, False
        return dropped

    # Time

    def propose(self, speed_factor: float, q_desired: Array) -> Sample:
        """Where the axes should be at the end of the coming period, with the rate that was set.

        `accept` makes it so; before that `slow` may change it.
        """
        if self.stream is not None and not self.stream.planned and self.ending is None:
            self._replan(q_desired)
        if not self.timeline:
            return rest_at(q_desired)
        goal = 1.0 if self._braking else 0.0 if self.paused or self.ending else speed_factor
        if not self.timeline.segments[0].started:
            # At rest on the path any rate fits.
            self.rate.state = RateState(goal, 0.0)
        self._rate_before = self.rate.state.rate
        ahead_s = self.timeline.time_s + self._rate_before * self._period_s
        after = self.rate.step(goal, self.timeline.at(ahead_s), urgent=self.ending == "stop")
        return self._sample((self._rate_before + after) / 2)

    def slow(self, factor: float) -> Sample:
        """Propose less: the given part of the rate, as far as the axes' accelerations allow."""
        path = self.timeline.at(self.timeline.time_s + self._rate_before * self._period_s)
        after = self.rate.lower(self._rate_before, self.rate.state.rate * factor, path)
        return self._sample((self._rate_before + after) / 2)

    def _sample(self, mean_rate: float) -> Sample:
        self._next_time_s = self.timeline.time_s + mean_rate * self._period_s
        path = self.timeline.at(self._next_time_s)
        rate = self.rate.state.rate
        if self._braking:
            path = self._clip(path)
        return Sample(path.position, rate * path.velocity, rate**2 * path.acceleration)

    def _clip(self, path: Sample) -> Sample:
        """A ramp that begins fast and near a limit ends there: no set-point leaves the limits."""
        allowed = self.limits.compute_range(self.timeline.segments[0].trajectory.start)
        inside = np.clip(path.position, allowed[:, 0], allowed[:, 1])
        kept = path.position == inside
        return Sample(inside, path.velocity * kept, path.acceleration * kept)

    def accept(self) -> None:
        """The period is over."""
        if self.timeline:
            self.timeline.time_s = self._next_time_s

    @property
    def position(self) -> Array | None:
        """Where on its path the robot is now, if it has one."""
        if not self.timeline:
            return None
        path = self.timeline.at(self.timeline.time_s)
        return (self._clip(path) if self._braking else path).position

    @property
    def at_rest(self) -> bool:
        """Whether an ending motion has come to rest."""
        if not self.timeline:
            return True
        if self._braking:
            return self.timeline.time_s >= self.timeline.end_s
        return self.rate.state.rate == 0.0 or self.timeline.time_s >= self.timeline.end_s

    @property
    def has_finished_stream(self) -> bool:
        """Whether the robot stands at the last set-point of a stream that has ended."""
        stream = self.stream
        return bool(stream and stream.ends and stream.planned and self.timeline.time_s >= self.timeline.end_s)

    # Snapshots

    def save(self) -> MotionState:
        """Plain values."""
        return MotionState(
            self.timeline.save(),
            self.timeline.time_s,
            self.rate.state,
            self.next_number,
            self.paused,
            self.ending,
            self._braking,
            self.stream,
        )

    def restore(self, state: MotionState) -> None:
        """Go on from saved values.

        Raises:
            SnapshotMismatch: they are damaged.
        """
        _validate(state, self.limits)
        self.timeline.restore(state.segments, state.time_s)
        self.rate.state = state.rate
        self.next_number, self.paused, self.ending = state.next_number, state.paused, state.ending
        self._braking, self.stream = state.braking, state.stream


def _validate(state: MotionState, limits: MotionLimits) -> None:
    if not (0.0 <= state.rate.rate <= 1.0 and np.isfinite(state.rate.change) and state.next_number > 0):
        raise SnapshotMismatch("damaged path rate", value=state.rate, limit="0 to 1")
    if state.stream is not None:
        validate_stream(state.stream, len(limits))
