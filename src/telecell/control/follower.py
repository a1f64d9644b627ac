"""Axes that go to where they are told, each on its own, within velocity, acceleration and jerk."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray
from ruckig import InputParameter, Ruckig, RuckigError, Synchronization, Trajectory

from telecell.errors import SnapshotMismatch
from telecell.models import Axis

Array = NDArray[np.float64]

ROUNDING = 1e-6
MOST_TICKS = 2**53
"""Beyond this, ticks are no longer whole numbers as seconds; at 4 ms that is a million years."""


class FollowerState(msgspec.Struct, frozen=True):
    """Plain values from which the motion goes on exactly: where it began, whereto, and how many periods ago."""

    position: tuple[float, ...]
    velocity: tuple[float, ...]
    acceleration: tuple[float, ...]
    target: tuple[float, ...]
    ticks: int


class Follower:
    """Turns targets into set-points.

    Motion always continues from the last set-point, never from a measurement, so that a new target in mid-motion
    causes no jump and a disturbed arm does not drift.
    """

    def __init__(self, axes: tuple[Axis, ...], start: tuple[float, ...], period_s: float):
        self._period_s = period_s
        limits = np.array([axis.software_limits for axis in axes]).reshape(-1, 2)
        speed = np.array([axis.max_velocity for axis in axes])
        acceleration = np.array([axis.max_acceleration for axis in axes])
        self._bounds = {
            "position": (limits[:, 0], limits[:, 1]),
            "target": (limits[:, 0], limits[:, 1]),
            "velocity": (-speed, speed),
            "acceleration": (-acceleration, acceleration),
        }
        # Ruckig cannot count to zero, and a cell may have nothing that moves.
        self._ruckig = Ruckig(len(axes)) if axes else None
        self._input = InputParameter(len(axes))
        self._input.max_velocity = [axis.max_velocity for axis in axes]
        self._input.max_acceleration = [axis.max_acceleration for axis in axes]
        self._input.max_jerk = [axis.max_jerk for axis in axes]
        self._input.synchronization = Synchronization.No
        rest = (0.0,) * len(axes)
        self.restore(FollowerState(start, rest, rest, start, 0))

    @property
    def target(self) -> tuple[float, ...]:
        """Where each axis is going."""
        return self._state.target

    @property
    def moving(self) -> NDArray[np.bool_]:
        """Which axes are still on their way."""
        return self._elapsed_s < self._durations

    @property
    def _elapsed_s(self) -> float:
        return self._state.ticks * self._period_s

    def set_target(self, target: tuple[float, ...]) -> None:
        """Go to new positions from wherever the set-point is now."""
        position, velocity, acceleration = self._sample()
        self.restore(FollowerState(tuple(position), tuple(velocity), tuple(acceleration), target, 0))

    def step(self) -> tuple[Array, Array]:
        """Position and velocity set-points for the end of the coming period."""
        self._state = msgspec.structs.replace(self._state, ticks=self._state.ticks + 1)
        position, velocity, _ = self._sample()
        return np.array(position), np.array(velocity)

    def _sample(self) -> tuple[list[float], list[float], list[float]]:
        return self._trajectory.at_time(self._elapsed_s) if self._trajectory else ([], [], [])

    def save(self) -> FollowerState:
        """Plain values to restore from."""
        return self._state

    def restore(self, state: FollowerState) -> None:
        """Go on exactly as the saved follower would have.

        Raises:
            SnapshotMismatch: the state is damaged or of another cell; everything stays as it was.
        """
        self._validate(state)
        self._trajectory, self._durations = self._plan(state)
        self._state = state

    def _validate(self, state: FollowerState) -> None:
        for name, (low, high) in self._bounds.items():
            values = getattr(state, name)
            if len(values) != len(low) or not np.isfinite(values).all():
                raise SnapshotMismatch(
                    "damaged motion state", where=name, value=values, limit=f"{len(low)} finite numbers"
                )
            if (low - ROUNDING > values).any() or (high + ROUNDING < values).any():
                raise SnapshotMismatch("motion outside the limits", where=name, value=values)
        if not 0 <= state.ticks < MOST_TICKS:
            raise SnapshotMismatch("damaged motion state", where="ticks", value=state.ticks, limit=MOST_TICKS)

    def _plan(self, state: FollowerState) -> tuple[Trajectory | None, Array]:
        if self._ruckig is None:
            return None, np.zeros(0)
        self._input.current_position = list(state.position)
        self._input.current_velocity = list(state.velocity)
        self._input.current_acceleration = list(state.acceleration)
        self._input.target_position = list(state.target)
        trajectory = Trajectory(len(state.target))
        try:
            self._ruckig.calculate(self._input, trajectory)
        except RuckigError as error:
            raise SnapshotMismatch(f"no motion within the limits leads on from there: {error}") from None
        return trajectory, np.array(trajectory.independent_min_durations)
