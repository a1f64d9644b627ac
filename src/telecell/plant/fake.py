"""The fake robot: commands loop straight back, nothing has mass."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import mujoco
import numpy as np

from telecell.contract.interface import Command, Drive, Measurement
from telecell.contract.snapshots import decode_snapshot
from telecell.errors import SnapshotMismatch
from telecell.models import Cell, compile_world
from telecell.plant.encoders import Encoders
from telecell.plant.stand_in import PanelState, StandIn


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that the fake plant remembers."""

    cell: str
    measured: bytes
    panel: PanelState


class FakePlant(StandIn):
    """A cell that does at once what it is told: for protocols, interfaces and tests that need no physics.

    Args:
        cell: what to imitate.
        seed: every driver gets one; nothing here is random.
        period_s: control period.
    """

    def __init__(self, cell: Cell, *, seed: int = 0, period_s: float = 0.004):  # noqa: ARG002
        super().__init__(cell, period_s)
        self._encoders = Encoders(cell, np.array(cell.start), period_s)
        self._measured = replace(Measurement.resting(cell, self._encoders.q_measured), parts=_resting_parts(cell))

    def step(self, command: Command) -> Measurement:
        """Be where the command says, in whole encoder counts; axes off or free stay, parts rest where they started."""
        command, drives = self._accept(command)
        self._set_drives(drives)
        self._encoders.read(np.where(drives == Drive.SERVO, command.q_desired, self._encoders.q_measured))
        self._measured = replace(
            self._measured,
            tick=self._measured.tick + 1,
            q_measured=self._encoders.q_measured,
            v_measured=self._encoders.v_measured,
            openings=command.openings.copy(),
            powered=self._powered,
            inputs=self._inputs,
        )
        return self._measured

    def measure(self) -> Measurement:
        """What was last commanded."""
        return self._measured

    def save(self) -> bytes:
        """The complete state."""
        return msgspec.msgpack.encode(Snapshot(self.cell.name, self._measured.to_bytes(), self._save_panel()))

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell."""
        saved = decode_snapshot(snapshot, Snapshot, "a fake plant")
        if saved.cell != self.cell.name:
            raise SnapshotMismatch("the snapshot belongs to another cell", value=saved.cell, limit=self.cell.name)
        measured = Measurement.from_bytes(saved.measured, like=self._measured)
        self._restore_panel(saved.panel)
        self._measured = measured
        self._encoders.restore(self._measured.q_measured, self._measured.v_measured)


def _resting_parts(cell: Cell) -> np.ndarray:
    model = compile_world(cell)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    bodies = [model.body(cell.get_part_body(name)).id for name in cell.parts]
    return np.hstack([data.xpos[bodies], data.xquat[bodies]]).reshape(-1, 7)
