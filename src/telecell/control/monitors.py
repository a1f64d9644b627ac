"""What is looked at every tick, from the measurement alone: a finding stops the robot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telecell.contract import Measurement
from telecell.control.axes import SERVO, Axes
from telecell.models import Cell

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

LIMIT_MARGIN = {"hinge": np.radians(0.5), "slide": 0.002}
"""How far beyond its software limit an axis may be found: servo error, not a command."""

SPEED_SHARE = 1.15
COUNTS = 3.0
"""Encoder counts per period by which a speed may be misread."""

TORQUE_SHARE = 1.05


@dataclass(frozen=True, slots=True)
class Finding:
    """Something is wrong.

    Attributes:
        cause: a row of the table of stops.
        axes: which axes it concerns.
        reason: which value, which limit.
        axis: the one to blame, where one is.
    """

    cause: str
    axes: Mask
    reason: str
    axis: str | None = None


class Monitors:
    """Compares the measurement with what was commanded and with the limits."""

    def __init__(self, cell: Cell, axes: Axes, period_s: float):
        self._cell, self._axes, self._period_s = cell, axes, period_s
        self.following = np.array([axis.following_error for axis in cell.axes])
        margin = np.array([LIMIT_MARGIN[axis.kind] for axis in cell.axes])
        software = np.array([axis.software_limits for axis in cell.axes]).reshape(-1, 2)
        self._lower, self._upper = software[:, 0] - margin, software[:, 1] + margin
        count = np.array([COUNTS / axis.counts_per_unit if axis.counts_per_unit else 0.0 for axis in cell.axes])
        self._noise = count / period_s
        self._fastest = SPEED_SHARE * np.array([axis.max_velocity for axis in cell.axes]) + self._noise
        self._strongest = TORQUE_SHARE * np.array([axis.max_torque or np.inf for axis in cell.axes])
        self._guards = [(i, signal) for i, signal in enumerate(cell.inputs) if signal.role]

    def find(self, measured: Measurement) -> list[Finding]:
        """What is wrong, the hardest stop first; of a measurement that cannot be true, only that."""
        nonsense = self._find_nonsense(measured)
        if nonsense is not None:
            return [nonsense]
        found = (self._find_guard(measured), self._find_dead(measured), self._find_motion(measured))
        return [finding for finding in found if finding is not None]

    def find_open_guard(self, measured: Measurement) -> str | None:
        """The title of a guard input that is not at its normal value."""
        for index, signal in self._guards:
            if bool(measured.inputs[index]) != signal.normal:
                return signal.title
        return None

    def _find_nonsense(self, measured: Measurement) -> Finding | None:
        wrong = ~self._axes.find_plausible(measured)
        if not wrong.any():
            return None
        name = self._axes.get_names(wrong)[0]
        return Finding("plant_lost", wrong, f"axis {name} is measured where no axis can be", name)

    def _find_guard(self, measured: Measurement) -> Finding | None:
        for index, signal in self._guards:
            if bool(measured.inputs[index]) != signal.normal:
                everything = np.ones(len(self._axes.names), bool)
                return Finding(str(signal.role), everything, f"signal {signal.name} ({signal.title})")
        return None

    def _find_dead(self, measured: Measurement) -> Finding | None:
        dead = self._axes.find_dead(measured, self._period_s)
        if not dead.any():
            return None
        names = self._axes.get_names(dead)
        return Finding("power_lost", dead, f"no power at {', '.join(names)}", names[0])

    def _find_motion(self, measured: Measurement) -> Finding | None:
        axes = self._axes
        servoed = (axes.drives == SERVO) & axes.live
        if not servoed.any():
            return None
        q, v = measured.q_measured, measured.v_measured
        error = np.abs(q - axes.q_desired)
        if (servoed & (error > self.following)).any():
            return self._build("following_error", servoed & (error > self.following), error, self.following, "off by")
        beyond = ((q < self._lower) & (v < -self._noise)) | ((q > self._upper) & (v > self._noise))
        if (servoed & beyond).any():
            bound = np.where(q > self._upper, self._upper, self._lower)
            return self._build("position_limit", servoed & beyond, q, bound, "at")
        if (servoed & (np.abs(v) > self._fastest)).any():
            return self._build("speed_limit", servoed & (np.abs(v) > self._fastest), v, self._fastest, "moves at", "/s")
        strong = servoed & (np.abs(measured.torque) > self._strongest)
        if strong.any():
            axis = int(np.argmax(strong))
            reason = f"{axes.limits.describe_axis(axis)} gives {measured.torque[axis]:.1f}"
            limit = f"limit {self._strongest[axis]:.1f}"
            return Finding("torque_limit", strong, f"{reason}, {limit}", axes.names[axis])
        return None

    def _build(self, cause: str, mask: Mask, values: Array, limits: Array, verb: str, per: str = "") -> Finding:
        axis = int(np.argmax(mask))
        say = self._axes.limits.describe_value
        who = self._axes.limits.describe_axis(axis)
        value, limit = say(axis, float(values[axis]), per), say(axis, float(limits[axis]), per)
        return Finding(cause, mask, f"{who} {verb} {value}, limit {limit}", self._axes.names[axis])
