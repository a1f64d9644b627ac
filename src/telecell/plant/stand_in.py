"""What physics and fake have in common: signals, the main switch of the power, and nothing to open."""

from __future__ import annotations

import msgspec
import numpy as np

from telecell.contract.interface import Command, Drive, Drives, Flags, unpack_array
from telecell.contract.validation import CommandValidator
from telecell.errors import InputError, SnapshotMismatch
from telecell.models import Cell


class PanelState(msgspec.Struct, frozen=True):
    """Drives, main switch and signals, for snapshots."""

    drives: bytes
    power_cut: bool
    inputs: bytes
    outputs: bytes


class StandIn:
    """A plant without hardware.

    Attributes:
        outputs: the last commanded values of the output signals.
    """

    deterministic = True
    snapshots = True
    paces = False
    supports_ramped_power_off = True

    def __init__(self, cell: Cell, period_s: float):
        self.cell = cell
        self.period_s = period_s
        self.outputs: Flags = np.array([signal.normal for signal in cell.outputs], dtype=bool)
        self._inputs: Flags = np.array([signal.normal for signal in cell.inputs], dtype=bool)
        self._set_drives(np.full(len(cell.axes), Drive.OFF, np.int8))
        self._power_cut = False
        self._validator = CommandValidator(cell)

    def start(self) -> None:
        """Nothing has to be opened."""

    def close(self) -> None:
        """Nothing has to be let go."""

    def cut_power(self) -> None:
        """What a panic button or a fuse does: every brake falls, whatever is commanded.

        Power comes back after a command in which every drive is off.
        """
        self._power_cut = True

    def set_input(self, name: str, value: bool) -> None:
        """Stand in for the person who opens the door; seen from the next step on."""
        signal = self.cell.get_signal(name)
        if signal not in self.cell.inputs:
            raise InputError("an output is set by commands", where=f"cell {self.cell.name}, signal {name}", value=value)
        self._inputs = self._inputs.copy()  # measurements share it
        self._inputs[self.cell.inputs.index(signal)] = value

    def _accept(self, command: Command) -> tuple[Command, Drives]:
        """The complete command, and what the drives do after the main switch had its say."""
        command = self._validator.validate(command)
        self.outputs = command.outputs.copy()
        if self._power_cut:
            self._power_cut = bool(command.drives.any())
            return command, np.zeros_like(command.drives)
        return command, command.drives

    def _set_drives(self, drives: Drives) -> None:
        self._drives = drives.copy()
        self._powered = drives.astype(bool)  # OFF is 0

    def _save_panel(self) -> PanelState:
        return PanelState(self._drives.tobytes(), self._power_cut, self._inputs.tobytes(), self.outputs.tobytes())

    def _restore_panel(self, saved: PanelState) -> None:
        drives = unpack_array(saved.drives, self._drives, "drives")
        if not np.isin(drives, tuple(Drive)).all():
            raise SnapshotMismatch("no such drive", where="drives", value=drives.tolist(), choices=[*Drive.__members__])
        inputs = unpack_array(saved.inputs, self._inputs, "inputs")
        outputs = unpack_array(saved.outputs, self.outputs, "outputs")
        self._set_drives(drives)
        self._inputs, self.outputs, self._power_cut = inputs, outputs, saved.power_cut
