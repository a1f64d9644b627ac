"""Joint encoders: positions in whole counts, velocities from their differences."""

from __future__ import annotations

import numpy as np

from telecell.contract.interface import Array
from telecell.models import Cell


class Encoders:
    """Quantises axis positions; an axis without a resolution has an ideal encoder.

    Attributes:
        q_measured: last reading, rad or m.
        v_measured: change over the last period, rad/s or m/s.
    """

    def __init__(self, cell: Cell, q_true: Array, period_s: float):
        counts = np.array([axis.counts_per_unit or 0.0 for axis in cell.axes])
        self._ideal = counts == 0
        self._counts_per_unit = np.where(self._ideal, 1.0, counts)
        self._period_s = period_s
        self.q_measured = self._quantise(q_true)
        self.v_measured = np.zeros_like(self.q_measured)

    def _quantise(self, q_true: Array) -> Array:
        counted = np.rint(q_true * self._counts_per_unit) / self._counts_per_unit
        return np.where(self._ideal, q_true, counted)

    def read(self, q_true: Array) -> None:
        """Take the next reading."""
        q_measured = self._quantise(q_true)
        self.v_measured = (q_measured - self.q_measured) / self._period_s
        self.q_measured = q_measured

    def restore(self, q_measured: Array, v_measured: Array) -> None:
        """Go back to saved readings."""
        self.q_measured, self.v_measured = q_measured, v_measured
