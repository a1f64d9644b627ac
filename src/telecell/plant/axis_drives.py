"""The drives of the axes inside a MuJoCo model: servo, brake, or free."""

from __future__ import annotations

import mujoco
import numpy as np

from telecell.contract.interface import Array, Command, Drive, Drives
from telecell.models import Cell
from telecell.plant.build import PlantModel

BRAKE_FREQUENCY_RAD_S = 150.0
BRAKE_DAMPING_RATIO = 1.5


class AxisDrives:
    """One actuator per axis, whose gains and control depend on what its drive does.

    Servo: a position loop with velocity lead and torque feed-forward. Free: no gains. Off: a brake, stiffer than any
    servo, that holds the place where it fell. It slips, and the place goes along, while the axis is so fast that the
    damping alone exceeds the torque limit: a moving axis is slowed down with all its torque and does not spring back,
    a standing one does not creep, and a load beyond the torque limit drags the brake instead of winding it up.

    Args:
        built: the compiled cell, with the gains of its servos; they are changed when a drive changes.
        cell: which axes.
        period_s: the control period.

    Attributes:
        qpos: address of each axis in MuJoCo's positions.
        dof: address of each axis in MuJoCo's velocities and forces.
    """

    def __init__(self, built: PlantModel, cell: Cell, period_s: float):
        model = self._model = built.model
        joints = [model.joint(axis.name).id for axis in cell.axes]
        self.qpos = model.jnt_qposadr[joints]
        self.dof = model.jnt_dofadr[joints]
        self._actuators = np.array([model.actuator(axis.name).id for axis in cell.axes], dtype=int)
        self._ctrl = model.actuator_ctrladr[self._actuators]
        self._axes = np.arange(len(joints))
        # Actuators of a model's own file may be geared: their controls, gains and forces are on the motor's side.
        self._gear = model.actuator_gear[self._actuators, 0]
        brake_damping = 2 * BRAKE_DAMPING_RATIO * BRAKE_FREQUENCY_RAD_S * built.inertia
        self._gain, self._bias = self._tabulate_gains(built.inertia, brake_damping)
        self._aim_per_torque = 1 / (self._gear**2 * self._gain[Drive.SERVO])
        self._slip_speed = self._find_torque_limits(joints) / brake_damping
        # The set-point is held over the period: aiming at its middle leaves no mean error.
        self._lead_s = np.where(built.lead_s > 0, built.lead_s - period_s / 2, 0.0)
        self._drives: Drives = np.full(len(joints), Drive.SERVO, np.int8)
        self._serving = self._drives == Drive.SERVO

    def _tabulate_gains(self, inertia: Array, brake_damping: Array) -> tuple[Array, Array]:
        """Gain and the three bias numbers of each actuator, by drive and axis."""
        gain = np.zeros((len(Drive), len(self._axes)))
        bias = np.zeros((len(Drive), len(self._axes), 3))
        gain[Drive.SERVO] = self._model.actuator_gainprm[self._actuators, 0]
        bias[Drive.SERVO] = self._model.actuator_biasprm[self._actuators, :3]
        gain[Drive.OFF] = BRAKE_FREQUENCY_RAD_S**2 * inertia / self._gear**2
        bias[Drive.OFF, :, 1] = -gain[Drive.OFF]
        bias[Drive.OFF, :, 2] = -brake_damping / self._gear**2
        return gain, bias

    def _find_torque_limits(self, joints: list[int]) -> Array:
        model, own = self._model, self._actuators
        at_joint = np.where(model.jnt_actfrclimited[joints], model.jnt_actfrcrange[joints, 1], np.inf)
        at_motor = np.where(model.actuator_forcelimited[own], model.actuator_forcerange[own, 1], np.inf)
        return np.minimum(at_joint, np.abs(self._gear) * at_motor)

    def switch(self, drives: Drives) -> None:
        """Give every actuator the gains of what its drive does."""
        self._drives = drives.copy()
        self._serving = drives == Drive.SERVO
        self._model.actuator_gainprm[self._actuators, 0] = self._gain[drives, self._axes]
        self._model.actuator_biasprm[self._actuators, :3] = self._bias[drives, self._axes]

    def command(self, data: mujoco.MjData, command: Command, drives: Drives) -> None:
        """Set the controls for the coming period.

        Args:
            data: what is simulated.
            command: complete set-points.
            drives: what the drives do, whatever the command says.
        """
        # Bytes, since most periods find nothing changed and numpy takes longer to say so.
        if drives.tobytes() != self._drives.tobytes():
            changed = drives != self._drives
            self.switch(drives)
            # Brakes fall where their axes are; what is servoed gets its set-point right below.
            data.ctrl[self._ctrl[changed]] = (self._gear * data.qpos[self.qpos])[changed]
        aim = command.q_desired + self._lead_s * command.v_desired + self._aim_per_torque * command.torque_feedforward
        controls = self._gear * aim
        if not self._serving.all():
            slipping = np.abs(data.qvel[self.dof]) > self._slip_speed
            held = np.where(slipping, self._gear * data.qpos[self.qpos], data.ctrl[self._ctrl])
            controls = np.where(self._serving, controls, held)
        data.ctrl[self._ctrl] = controls
