"""What belongs to the axis: set-point, drive, and the latch of a stop."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.contract import Drive, Measurement
from telecell.control.stops import STOPS
from telecell.errors import SnapshotMismatch
from telecell.models import Cell
from telecell.trajectories import MotionLimits, Sample
from telecell.trajectories.limits import LARGEST

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

OFF, SERVO, FREE = (int(drive) for drive in (Drive.OFF, Drive.SERVO, Drive.FREE))
"""As plain numbers: looking up a member of an enum costs a microsecond, several times per tick."""

BELIEF = 4.0
"""Following errors beyond the end of the mechanism at which an axis may still be found: stops give way a little."""

POWER_UP_S = 1.0
"""Time in which a drive has to report power after it was switched on."""


class AxesState(msgspec.Struct, frozen=True):
    """Plain values to go on from, one per axis."""

    q_desired: tuple[float, ...]
    v_desired: tuple[float, ...]
    drives: tuple[int, ...]
    latches: tuple[str | None, ...]
    reasons: tuple[str, ...]
    off_at_rest: tuple[bool, ...]
    live: tuple[bool, ...]
    switched: tuple[int, ...]


class Axes:
    """All axes of a cell, in its order.

    Attributes:
        q_desired: set-points, rad or m.
        v_desired: their velocities.
        drives: what each drive is told to do.
        sent: what it was last told.
        latches: the cause that keeps an axis stopped, or None.
        reasons: the same in words, with values and limits.
        off_at_rest: power goes as soon as the ramp is over (category 1).
        live: the drive has reported power since it was switched on.
        switched: the tick at which it was switched on.
        stopped_at: the tick of the last stop: whoever has not seen it yet cannot end it.
    """

    def __init__(self, cell: Cell):
        count = len(cell.axes)
        self.names = tuple(axis.name for axis in cell.axes)
        self.limits = MotionLimits.from_axes(cell.axes)
        slack = np.array([[-axis.following_error, axis.following_error] for axis in cell.axes]).reshape(-1, 2)
        self._reach = np.array([axis.hardware_limits for axis in cell.axes]).reshape(-1, 2) + slack
        self._believable = self._reach + (BELIEF - 1.0) * slack
        self.q_desired = np.array(cell.start, dtype=float)
        self.v_desired = np.zeros(count)
        self.drives = np.full(count, Drive.OFF, np.int8)
        self.sent = self.drives.copy()
        self.latches: list[str | None] = [None] * count
        self.reasons = [""] * count
        self.off_at_rest = np.zeros(count, bool)
        self.live = np.zeros(count, bool)
        self.switched = np.zeros(count, int)
        self.stopped_at = np.full(count, -1)

    @property
    def latched(self) -> Mask:
        """Which axes are stopped."""
        return np.array([latch is not None for latch in self.latches], dtype=bool)

    def is_latched(self, index: NDArray[np.int_]) -> bool:
        """Whether any of some axes is stopped."""
        return any(self.latches) and any(self.latches[i] is not None for i in index.tolist())

    @property
    def conditions(self) -> list[int]:
        """What each axis does: as its drive is told, or off as long as the drive has not reported power."""
        return (self.drives * self.live).tolist()

    @property
    def powered(self) -> Mask:
        """Which axes may move: switched on, and their drives have said so."""
        return self.live & (self.drives != OFF)

    def get_names(self, mask: Mask) -> tuple[str, ...]:
        """The names of some axes."""
        return tuple(name for name, flag in zip(self.names, mask.tolist(), strict=True) if flag)

    def set(self, index: NDArray[np.int_], sample: Sample) -> None:
        """Give axes their next set-points."""
        self.q_desired[index] = sample.position
        self.v_desired[index] = sample.velocity

    def switch_on(self, mask: Mask, measured: Measurement) -> None:
        """Power; the set-point becomes the measurement."""
        self.regain(mask, measured)
        self.live[mask] = False
        self.switched[mask] = measured.tick

    def regain(self, mask: Mask, measured: Measurement) -> None:
        """Follow set-points again, from the measurement on; axes that never stopped following them just go on."""
        following = (self.sent == SERVO) & measured.powered
        self.adopt(mask & ~following, measured)
        self.drives[mask] = SERVO

    def switch_off(self, mask: Mask) -> None:
        """No power, brakes set."""
        self.drives[mask] = OFF
        self.live[mask] = False
        self.off_at_rest[mask] = False
        self.v_desired[mask] = 0.0

    def adopt(self, mask: Mask, measured: Measurement) -> None:
        """Set the set-point to the measurement: at power on, at the end of a freed axis, after a following error."""
        self.v_desired[mask] = 0.0
        mask = mask & self.find_plausible(measured)
        self.q_desired[mask] = measured.q_measured[mask]

    def find_plausible(self, measured: Measurement) -> Mask:
        """Axes whose measurement can be true: about where the mechanism lets them be, and NaN is nowhere."""
        q, v = measured.q_measured, measured.v_measured
        return (self._believable[:, 0] <= q) & (q <= self._believable[:, 1]) & (np.abs(v) <= LARGEST)

    def find_dead(self, measured: Measurement, period_s: float) -> Mask:
        """Axes whose drives have lost their power, or never got any; those that have it now are noted."""
        on = self.drives != OFF
        lost = on & self.live & ~measured.powered
        late = on & ~self.live & ~measured.powered
        late &= measured.tick - self.switched > math.ceil(POWER_UP_S / period_s)
        self.live |= on & measured.powered
        return lost | late

    def save(self) -> AxesState:
        """Plain values."""
        return AxesState(
            tuple(self.q_desired.tolist()),
            tuple(self.v_desired.tolist()),
            tuple(self.drives.tolist()),
            tuple(self.latches),
            tuple(self.reasons),
            tuple(self.off_at_rest.tolist()),
            tuple(self.live.tolist()),
            tuple(self.switched.tolist()),
        )

    def validate(self, state: AxesState) -> None:
        """Refuse damaged values.

        Raises:
            SnapshotMismatch: wrong counts, or numbers that no axis can have.
        """
        for name in AxesState.__struct_fields__:
            if len(getattr(state, name)) != len(self.names):
                raise SnapshotMismatch("damaged axes", where=name, limit=f"{len(self.names)} values")
        numbers = np.array([state.q_desired, state.v_desired])
        known = set(state.latches) <= {None, *STOPS}
        inside = (self._reach[:, 0] <= numbers[0]) & (numbers[0] <= self._reach[:, 1])
        finite = (np.abs(numbers) <= LARGEST).all()
        if not inside.all() or not finite or not set(state.drives) <= set(Drive) or not known:
            raise SnapshotMismatch("damaged axes", value=state)

    def restore(self, state: AxesState) -> None:
        """Go on from validated values."""
        self.q_desired = np.array(state.q_desired, dtype=float)
        self.v_desired = np.array(state.v_desired, dtype=float)
        self.drives = np.array(state.drives, dtype=np.int8)
        self.sent = self.drives.copy()
        self.latches = list(state.latches)
        self.reasons = list(state.reasons)
        self.off_at_rest = np.array(state.off_at_rest, dtype=bool)
        self.live = np.array(state.live, dtype=bool)
        self.switched = np.array(state.switched, dtype=int)
        self.stopped_at[:] = -1
