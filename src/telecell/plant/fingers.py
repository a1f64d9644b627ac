"""The fingers of the tools inside a MuJoCo model."""

from __future__ import annotations

import mujoco
import numpy as np

from telecell.contract.interface import Array, Command
from telecell.models import Cell


class Fingers:
    """One actuator per finger: pneumatic ones push with their grip force, servoed ones hold a position up to it."""

    def __init__(self, model: mujoco.MjModel, cell: Cell):
        self._model = model
        self._tools = len(cell.tools)
        fingers = [(k, joint) for k, tool in enumerate(cell.tools) for joint in tool.joints]
        self._tool = np.array([k for k, _ in fingers], dtype=int)
        self._qpos = model.jnt_qposadr[[model.joint(name).id for _, name in fingers]]
        self._actuators = np.array([model.actuator(name).id for _, name in fingers], dtype=int)
        self._ctrl = model.actuator_ctrladr[self._actuators]
        self._closed = np.array([value for tool in cell.tools for value in tool.closed])
        self._span = np.array([value for tool in cell.tools for value in tool.open]) - self._closed
        self._two_state = np.array([t.drive == "pneumatic" for t in cell.tools for _ in t.joints], dtype=bool)
        self._per_tool = np.bincount(self._tool, minlength=self._tools)
        self.grip_forces: Array = np.array([tool.force for tool in cell.tools], dtype=float)

    def set_grip_forces(self, forces: Array) -> None:
        """Limit the force of each tool's fingers."""
        self.grip_forces = forces.copy()
        limits = forces[self._tool]
        self._model.actuator_forcerange[self._actuators] = np.column_stack((-limits, limits))

    def command(self, data: mujoco.MjData, command: Command) -> None:
        """Set the controls for the coming period."""
        if command.grip_forces.tobytes() != self.grip_forces.tobytes():
            self.set_grip_forces(command.grip_forces)
        wanted = command.openings[self._tool]
        push = np.where(wanted >= 0.5, 1.0, -1.0) * np.sign(self._span) * self.grip_forces[self._tool]
        data.ctrl[self._ctrl] = np.where(self._two_state, push, self._closed + wanted * self._span)

    def read(self, data: mujoco.MjData) -> Array:
        """The opening of each tool: the mean of its fingers."""
        fractions = (data.qpos[self._qpos] - self._closed) / self._span
        return np.bincount(self._tool, fractions, self._tools) / self._per_tool
