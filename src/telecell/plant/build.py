"""From a cell to the model that the physics steps: the world with servos, sensors and solver settings.

The settings were chosen by experiment: 1 ms with the implicit-in-velocity integrator is stable for servoed arms in
contact; the elliptic cone with a large friction-to-normal impedance ratio lets a gripper hold a part by friction
alone; and the dense Jacobian avoids a fault in the sparse solver of MuJoCo 4.0.0.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from telecell.contract.interface import Array
from telecell.errors import CellFileError
from telecell.models import Axis, Beam, Cell, Tool, build_start_posture, build_world
from telecell.models.source import compile_spec

TIMESTEP_S = 0.001
SERVO_FREQUENCY_RAD_S = 40.0
SERVO_DAMPING_RATIO = 1.5
TORQUE_RESERVE = 20.0
"""Torque limit of an axis without one, as a multiple of what its own acceleration limit needs."""

FINGER_YIELD = 0.01
"""Share of its stroke by which a servoed finger gives way under its full force."""
FINGER_DAMPING_S = 0.02


@dataclass(frozen=True, slots=True)
class PlantModel:
    """A compiled cell with what is needed to drive it.

    Attributes:
        inertia: what each axis moves in the start pose, kg·m² or kg.
        lead_s: per axis, time by which the velocity set-point leads the position set-point (damping over stiffness).
        start: full qpos at the start pose.
    """

    model: mujoco.MjModel
    inertia: Array
    lead_s: Array
    start: Array


def build_plant(cell: Cell) -> PlantModel:
    """Compile the cell for physics."""
    spec = build_world(cell)
    where = str(cell.path)
    world = compile_spec(spec, where)
    start = build_start_posture(cell, world)
    inertia = _inertia_at(world, start)
    lead = [_add_servo(spec, cell, axis, inertia[axis.name]) for axis in cell.axes]
    for tool in cell.tools:
        _add_tool_drive(spec, tool)
    for sensor in cell.force_sensors:
        for kind in (mujoco.mjtSensor.mjSENS_FORCE, mujoco.mjtSensor.mjSENS_TORQUE):
            spec.add_sensor(type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=sensor.frame)
    for beam in cell.beams:
        _add_beam(spec, beam, world, start)
    _set_options(spec)
    moved = np.array([inertia[axis.name] for axis in cell.axes])
    return PlantModel(compile_spec(spec, where), moved, np.array(lead), start)


def _set_options(spec: mujoco.MjSpec) -> None:
    option = spec.option
    option.timestep = TIMESTEP_S
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    option.impratio = 100
    # A diverged simulation must be seen, not silently put back to its start.
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET


def _inertia_at(model: mujoco.MjModel, posture: Array) -> dict[str, float]:
    """What each hinge and slide has to move at a posture, armature included."""
    data = mujoco.MjData(model)
    data.qpos[:] = posture
    mujoco.mj_forward(model, data)
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix)
    return {model.joint(i).name: float(matrix[adr, adr]) for i, adr in enumerate(model.jnt_dofadr)}


def _add_servo(spec: mujoco.MjSpec, cell: Cell, axis: Axis, inertia: float) -> float:
    """A torque-limited position and velocity loop; returns its velocity lead."""
    mount = cell.get_mount(axis.name.partition("/")[0])
    if mount.model.description.actuators == "file":
        _check_file_actuator(spec, axis, str(mount.model.path))
        return 0.0
    kp, kv = axis.kp, axis.kv
    if kp is None or kv is None:
        kp = inertia * SERVO_FREQUENCY_RAD_S**2
        kv = 2 * SERVO_DAMPING_RATIO * inertia * SERVO_FREQUENCY_RAD_S
    actuator = spec.add_actuator(name=axis.name, target=axis.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    actuator.set_to_position(kp=kp, kv=kv)
    if axis.max_torque is None:
        torque = TORQUE_RESERVE * inertia * axis.max_acceleration
        joint = spec.joint(axis.name)
        joint.actfrcrange = (-torque, torque)
        joint.actfrclimited = mujoco.mjtLimited.mjLIMITED_TRUE
    return kv / kp


def _check_file_actuator(spec: mujoco.MjSpec, axis: Axis, where: str) -> None:
    own = [a for a in spec.actuators if a.target == axis.name]
    if len(own) != 1 or own[0].biastype != mujoco.mjtBias.mjBIAS_AFFINE:
        raise CellFileError(
            'actuators = "file" needs exactly one position actuator per axis',
            where=where,
            value=f"{len(own)} for {axis.name}",
            remedy='Use actuators = "ours".',
        )
    own[0].name = axis.name


def _add_tool_drive(spec: mujoco.MjSpec, tool: Tool) -> None:
    """Pneumatic fingers push with a constant force; servoed ones hold a position up to their force."""
    for joint, closed, opened in zip(tool.joints, tool.closed, tool.open, strict=True):
        actuator = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        if tool.drive == "pneumatic":
            actuator.set_to_motor()
        else:
            stiffness = tool.force / (FINGER_YIELD * abs(opened - closed))
            actuator.set_to_position(kp=stiffness, kv=stiffness * FINGER_DAMPING_S)
        actuator.forcerange = (-tool.force, tool.force)
        actuator.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE


def _add_beam(spec: mujoco.MjSpec, beam: Beam, world: mujoco.MjModel, start: Array) -> None:
    """A range finder that looks from one frame to the other."""
    data = mujoco.MjData(world)
    data.qpos[:] = start
    mujoco.mj_kinematics(world, data)
    origin, end = world.site(beam.start), data.site(beam.end)
    body = int(world.site_bodyid[origin.id])
    direction = data.xmat[body].reshape(3, 3).T @ (end.xpos - data.site(beam.start).xpos)
    emitter = spec.body(world.body(body).name).add_site(name=f"{beam.name}/emitter", pos=origin.pos)
    quaternion = np.zeros(4)
    mujoco.mju_quatZ2Vec(quaternion, direction / np.linalg.norm(direction))
    emitter.quat = quaternion
    finder = spec.add_sensor(
        type=mujoco.mjtSensor.mjSENS_RANGEFINDER, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=emitter.name
    )
    finder.intprm[0] = 1 << int(mujoco.mjtRayDataField.mjRAYDATA_DIST)
