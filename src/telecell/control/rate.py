"""The path rate: how fast path time runs, 0 to 1. Speed factor, pause and every stop on the path are this rate."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray
from ruckig import ControlInterface, InputParameter, Ruckig, Trajectory

from telecell.trajectories import Sample

Array = NDArray[np.float64]

LEAST_BRAKING = 0.02
GREATEST_CHANGE = 50.0
"""Change of the rate per second, where the path itself is so slow that the axes would allow any."""

GREATEST_JERK = 2000.0
URGENCY = 4.0
"""How much more jerk than the axes' own a stop may use."""
RESERVE = 0.98
"""Share of the axes' acceleration that the rate uses, so that rounding stays inside."""


class RateState(msgspec.Struct, frozen=True):
    """Plain values to go on from."""

    rate: float = 0.0
    change: float = 0.0


class PathRate:
    """Moves the rate towards a goal without a jerk, inside what the axes' accelerations leave.

    With v and a the velocity and acceleration along the path at full rate, an axis accelerates by r² a + r' v. So the
    room for r' depends on where on the path the robot is: while the path itself brakes as hard as it may, there is
    none left for braking harder.
    """

    def __init__(self, max_acceleration: Array, max_jerk: Array, period_s: float):
        self._acceleration = RESERVE * max_acceleration
        self._jerk = max_jerk
        self._period_s = period_s
        self._ruckig = Ruckig(1)
        self._input = InputParameter(1)
        self._input.control_interface = ControlInterface.Velocity
        self._input.max_velocity = [2.0]
        self._trajectory = Trajectory(1)
        self.state = RateState()

    def compute_room(self, path: Sample, rate: float) -> tuple[float, float, float]:
        """Least and greatest change per second, and the jerk, that the axes allow at a place on the path."""
        speed = np.maximum(np.abs(path.velocity), 1e-9)
        along = rate**2 * path.acceleration * np.sign(path.velocity)
        least = float((-(self._acceleration + along) / speed).max())
        greatest = float(((self._acceleration - along) / speed).min())
        jerk = float((self._jerk / speed).min())
        return (
            max(min(least, -LEAST_BRAKING), -GREATEST_CHANGE),
            min(max(greatest, LEAST_BRAKING), GREATEST_CHANGE),
            min(jerk, GREATEST_JERK),
        )

    def step(self, goal: float, path: Sample, *, urgent: bool = False) -> float:
        """The rate at the end of the coming period.

        Args:
            goal: where the rate should be.
            path: velocity and acceleration along the path at the end of the period, at full rate.
            urgent: for a stop, whose braking has to build up sooner than comfort would have it.
        """
        rate, change = self.state.rate, self.state.change
        if rate == goal and change == 0.0:
            return rate
        least, greatest, jerk = self.compute_room(path, rate)
        self._input.current_velocity = [rate]
        self._input.current_acceleration = [min(max(change, least), greatest)]
        self._input.target_velocity = [goal]
        self._input.min_acceleration = [least]
        self._input.max_acceleration = [greatest]
        self._input.max_jerk = [URGENCY * jerk if urgent else jerk]
        self._ruckig.calculate(self._input, self._trajectory)
        if self._trajectory.duration <= self._period_s:
            self.state = RateState(goal, 0.0)
        else:
            _, velocity, acceleration = self._trajectory.at_time(self._period_s)
            self.state = RateState(min(max(velocity[0], 0.0), 1.0), acceleration[0])
        return self.state.rate

    def lower(self, before: float, rate: float, path: Sample) -> float:
        """Come down to a rate at once, as far as accelerations allow: a tip's limit is worth more than a smooth ride.

        Args:
            before: the rate at the beginning of the period.
            rate: where it should be at its end.
            path: velocity and acceleration along the path at its end, at full rate.
        """
        least, _, _ = self.compute_room(path, before)
        lowest = max(before + least * self._period_s, 0.0)
        # The lower the rate, the less the path's own acceleration counts: the end of the period has to have room too.
        least = max(least, self.compute_room(path, lowest)[0])
        # A ramp that is being built up by a stop goes on.
        change = min(self.state.change, 0.0)
        self.state = RateState(max(rate, before + least * self._period_s, 0.0), change)
        return self.state.rate
