"""The drives of the axes inside a MuJoCo model: servo, brake, or free."""

from __future__ import annotations

import mujoco
import numpy as np

from telecell.models import Cell
from telecell.plant.build import PlantModel
from telecell.plant.interface import Array, Command, Drive, Drives

BRAKE_FREQUENCY_RAD_S = 150.0
BRAKE_DAMPING_RATIO = 1.5


class AxisDrives:
    """One actuator per axis, whose gains and control depend on what its drive does.

    Servo: a position loop with velocity lead and torque feed-forward. Free: no gains. Off: a brake, stiffer than any
    servo, that holds the place where it fell. It slips, and the place goes along, while the axis is so fast that the
    damping alone exceeds the torque limit: a moving axis is slowed down with all its torque and does not spring back,
    a standing one does not creep, and a load beyond the torque limit drags the brake instead of winding it up.

    Args:
        built: the compiled cell; its model's gains are changed when a drive changes.
        cell: which axes.
        period_s: the control period.
    """

    def __init__(self, built: PlantModel, cell: Cell, period_s: float):
        model = self._model = built.model
        joints = [model.joint(axis.name).id for axis in cell.axes]
        self.qpos = model.jnt_qposadr[joints]
        self.dof = model.jnt_dofadr[joints]
        self._actuators = np.array([model.actuator(axis.name).id for axis in cell.axes], dtype=int)
        self._ctrl = model.actuator_ctrladr[self._actuators]
        self._axes = np.arange(len(joints))
        brake_damping = 2 * BRAKE_DAMPING_RATIO * BRAKE_FREQUENCY_RAD_S * built.inertia
        self._gain, self._bias = _tabulate_gains(built, self._actuators, brake_damping)
        self._per_torque = 1 / self._gain[Drive.SERVO]
        self._slip_speed = _find_torque_limits(model, joints, self._actuators) / brake_damping
        self._serving = np.zeros(len(joints), dtype=bool)
        self._all_serving = False
        # The set-point is held over the period: aiming at its middle leaves no mean error.
        self._lead_s = np.where(built.lead_s > 0, built.lead_s - period_s / 2, 0.0)

    def switch(self, drives: Drives) -> None:
        """Give every actuator the gains of what its drive does."""
        self._serving = drives == Drive.SERVO
        self._all_serving = bool(self._serving.all())
        self._model.actuator_gainprm[self._actuators, 0] = self._gain[drives, self._axes]
        self._model.actuator_biasprm[self._actuators, :3] = self._bias[drives, self._axes]

    def set_brakes(self, data: mujoco.MjData, axes: np.ndarray) -> None:
        """Let brakes fall where their axes are."""
        data.ctrl[self._ctrl[axes]] = data.qpos[self.qpos[axes]]

    def command(self, data: mujoco.MjData, command: Command) -> None:
        """Set the controls for the coming period."""
        aim = command.q_desired + self._lead_s * command.v_desired + self._per_torque * command.torque_feedforward
        if not self._all_serving:
            slipping = np.abs(data.qvel[self.dof]) > self._slip_speed
            held = np.where(slipping, data.qpos[self.qpos], data.ctrl[self._ctrl])
            aim = np.where(self._serving, aim, held)
        data.ctrl[self._ctrl] = aim


def _tabulate_gains(built: PlantModel, actuators: np.ndarray, brake_damping: Array) -> tuple[Array, Array]:
    """Gain and the three bias numbers of each actuator, by drive and axis."""
    gain = np.zeros((len(Drive), len(actuators)))
    bias = np.zeros((len(Drive), len(actuators), 3))
    gain[Drive.SERVO] = built.model.actuator_gainprm[actuators, 0]
    bias[Drive.SERVO] = built.model.actuator_biasprm[actuators, :3]
    gain[Drive.OFF] = BRAKE_FREQUENCY_RAD_S**2 * built.inertia
    bias[Drive.OFF, :, 1] = -gain[Drive.OFF]
    bias[Drive.OFF, :, 2] = -brake_damping
    return gain, bias


def _find_torque_limits(model: mujoco.MjModel, joints: list[int], actuators: np.ndarray) -> Array:
    at_joint = np.where(model.jnt_actfrclimited[joints], model.jnt_actfrcrange[joints, 1], np.inf)
    at_actuator = np.where(model.actuator_forcelimited[actuators], model.actuator_forcerange[actuators, 1], np.inf)
    return np.minimum(at_joint, at_actuator)
