"""What a command must be before anything moves: complete, of the cell's sizes, finite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from telecell.contract.interface import Command, Drive
from telecell.errors import InputError, JointOutOfRange
from telecell.models import Cell

_LEAVABLE = ("drives", "torque_feedforward", "grip_forces", "outputs")
_FIELDS = ("q_desired", "v_desired", "openings", *_LEAVABLE)
_OF_AXES = ("q_desired", "v_desired", "drives", "torque_feedforward")
_get_arrays = attrgetter(*_FIELDS)
_LARGEST = np.finfo(float).max


class CommandValidator:
    """Completes the commands of one cell and refuses the wrong ones; every plant puts one in front of its `step`."""

    def __init__(self, cell: Cell):
        self._cell = cell
        self._usual = Command.holding(cell)
        self._shapes = [array.shape for array in _get_arrays(self._usual)]
        limits = {
            "openings": (0.0, 1.0),
            "drives": (float(min(Drive)), float(max(Drive))),
            "grip_forces": (0.0, self._usual.grip_forces),
            "outputs": (0.0, 1.0),
        }
        ranges = [
            np.broadcast_arrays(*limits.get(name, (-_LARGEST, _LARGEST)), getattr(self._usual, name))[:2]
            for name in _FIELDS
        ]
        self._low, self._high = (np.concatenate(ends) for ends in zip(*ranges, strict=True))

    def validate(self, command: Command) -> Command:
        """The command with everything filled in that was left out.

        Raises:
            JointOutOfRange: numbers per axis that are not finite or of the wrong count, an unknown drive.
            InputError: numbers per tool or output that are not finite, out of range or of the wrong count.
        """
        arrays = _get_arrays(command)
        if [array.shape for array in arrays] != self._shapes:
            command = self._complete(command)
            arrays = _get_arrays(command)
        # One look at all numbers at once, since this runs in every control period; NaN is in no range.
        values = np.concatenate(arrays)
        accepted = (values >= self._low) & (values <= self._high)
        if not accepted.all():
            self._refuse(int(np.argmin(accepted)), values)
        return command

    def _complete(self, command: Command) -> Command:
        left_out = [name for name in _LEAVABLE if not getattr(command, name).size]
        command = replace(command, **{name: getattr(self._usual, name) for name in left_out})
        for name, shape in zip(_FIELDS, self._shapes, strict=True):
            if (given := getattr(command, name).shape) != shape:
                where = f"cell {self._cell.name}, {name}"
                raise _get_refusal(name)("a command of another shape", where=where, value=given, limit=shape)
        return command

    def _refuse(self, index: int, values: np.ndarray) -> None:
        culprits = [(name, owner.name) for name in _FIELDS for owner in self._get_owners(name)]
        name, owner = culprits[index]
        raise _get_refusal(name)(
            "command out of range or not finite",
            where=f"cell {self._cell.name}, {name} of {owner}",
            value=float(values[index]),
            limit=f"{self._low[index]:g} to {self._high[index]:g}",
        )

    def _get_owners(self, name: str) -> Sequence:
        if name in _OF_AXES:
            return self._cell.axes
        return self._cell.outputs if name == "outputs" else self._cell.tools


def _get_refusal(name: str) -> type[JointOutOfRange] | type[InputError]:
    return JointOutOfRange if name in _OF_AXES else InputError
