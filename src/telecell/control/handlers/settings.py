"""Requests that change what a robot, a tool or the cell is set to."""

from __future__ import annotations

import math
import re

import numpy as np

from telecell.control.arm import Arm
from telecell.control.axes import FREE, OFF
from telecell.control.core import Core
from telecell.control.handlers.access import admit, build_stopped, get_arm, validate_alone
from telecell.control.tip_guard import FASTEST_TIP_M_S
from telecell.errors import AxisBusy, InputError, JointOutOfRange, MotionStopped, UnknownName
from telecell.geometry import Pose
from telecell.kinematics.placements import to_pose
from telecell.messages import events, settings
from telecell.messages.replies import Done

SLOWEST_FACTOR = 1e-6
SLOWEST_TIP_M_S = 1e-3
LARGEST_OFFSET_M = 10.0
HEAVIEST_KG = 1e4
MAX_NAMES = 200
"""User frames of a cell, saved poses of a robot."""

PAYLOAD_SHARE = 0.5
"""Share of an axis's torque that may go into holding the payload."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\-]{0,39}")


def _power(core: Core, request: settings.Power) -> Done:
    arm = admit(core, request.robot, request)
    if request.on:
        return _switch_on(core, request)
    # Not by the mode: where some axes are free, other robots may still move the rest.
    if arm.motion.active or core.find_rival(arm):
        core.stopper.stop("power_off", arm.mask, "power switched off", core.measured, request=request.origin)
    else:
        core.axes.switch_off(arm.mask)
    core.journal.note(events.PowerChanged, request=request.origin, robot=arm.name, on=False)
    return Done(request.sequence)


def _switch_on(core: Core, request: settings.Power) -> Done:
    arm, axes = core.arms[request.robot], core.axes
    if axes.is_latched(arm.index):
        raise build_stopped(core, arm)
    guard = core.monitors.find_open_guard(core.measured)
    if guard is not None:
        raise MotionStopped("power stays off", where=f"robot {arm.name}", value=guard, remedy="Close it, then reset.")
    axes.switch_on(arm.mask & (axes.drives == OFF), core.measured)
    core.journal.note(events.PowerChanged, request=request.origin, robot=arm.name, on=True)
    return Done(request.sequence)


def _set_speed_factor(core: Core, request: settings.SetSpeedFactor) -> Done:
    arm = get_arm(core, request.robot)
    if not SLOWEST_FACTOR <= request.factor <= 1.0:
        raise InputError(
            "no speed factor",
            where=f"robot {arm.name}",
            value=request.factor,
            limit=f"{SLOWEST_FACTOR} to 1",
            remedy="To stand still, pause.",
        )
    arm.speed_factor = request.factor
    return Done(request.sequence)


def _set_tip_speed(core: Core, request: settings.SetTipSpeed) -> Done:
    arm = get_arm(core, request.robot)
    if not SLOWEST_TIP_M_S <= request.speed_m_s <= FASTEST_TIP_M_S:
        raise InputError(
            "no tip speed",
            where=f"robot {arm.name}",
            value=request.speed_m_s,
            limit=f"{SLOWEST_TIP_M_S} to {FASTEST_TIP_M_S} m/s",
        )
    core.tip_guard.set_speed(arm, request.speed_m_s)
    return Done(request.sequence)


def _set_configuration(core: Core, request: settings.SetConfiguration) -> Done:
    arm = get_arm(core, request.robot)
    arm.solver.validate_branch(request.branch)
    arm.branch = dict(request.branch)
    core.setup_number += 1
    return Done(request.sequence)


def _free(core: Core, request: settings.Free) -> Done:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    for name in request.axes:
        if name not in arm.robot.axis_names:
            raise UnknownName("axis", name, arm.robot.axis_names, where=f"robot {arm.name}")
    wanted = request.axes or arm.robot.axis_names
    core.axes.drives[np.isin(core.axes.names, wanted)] = FREE
    return Done(request.sequence)


def _hold(core: Core, request: settings.Hold) -> Done:
    arm = admit(core, request.robot, request)
    freed = arm.mask & (core.axes.drives == FREE)
    core.axes.regain(freed, core.measured)
    return Done(request.sequence)


def _set_tool(core: Core, request: settings.SetTool) -> Done:
    tool = core.cell.get_tool(request.tool)
    index = core.cell.tools.index(tool)
    if not 0.0 <= request.opening <= 1.0:
        raise JointOutOfRange("tool opening", where=tool.name, value=request.opening, limit="0 (closed) to 1 (open)")
    force = tool.force if request.force_N is None else request.force_N
    if not 0.0 < force <= tool.force:
        raise InputError("grip force", where=tool.name, value=force, limit=f"above 0, at most {tool.force} N")
    for arm in core.arms.values():
        if arm.robot.tool == tool.name and core.axes.is_latched(arm.index):
            raise build_stopped(core, arm)
    core.openings[index], core.grip_forces[index] = request.opening, force
    return Done(request.sequence)


def _set_signal(core: Core, request: settings.SetSignal) -> Done:
    names = [signal.name for signal in core.cell.outputs]
    if request.name not in names:
        raise UnknownName("output signal", request.name, names, where=f"cell {core.cell.name}")
    index = names.index(request.name)
    if bool(core.outputs[index]) != request.value:
        core.outputs[index] = request.value
        core.journal.note(events.SignalChanged, request=request.origin, name=request.name, value=request.value)
    return Done(request.sequence)


def _define_tool_frame(core: Core, request: settings.DefineToolFrame) -> Done:
    arm = get_arm(core, request.robot)
    if arm.motion.active:
        raise AxisBusy("the tool frame cannot change in motion", where=f"robot {arm.name}", remedy="Wait, or halt.")
    offset = to_pose(request.offset)
    _validate_offset(offset.position, f"robot {arm.name}")
    arm.tool = offset
    core.setup_number += 1
    return Done(request.sequence)


def _define_user_frame(core: Core, request: settings.DefineUserFrame) -> Done:
    _validate_name(request.name, "user frame", {f.name for f in core.cell.frames} | {"base", "world", "tool"})
    if request.name not in core.user_frames and len(core.user_frames) >= MAX_NAMES:
        raise InputError("too many user frames", value=len(core.user_frames), limit=MAX_NAMES)
    core.user_frames[request.name] = Pose.from_points(request.origin_m, request.on_x_m, request.towards_y_m)
    core.setup_number += 1
    return Done(request.sequence)


def _set_payload(core: Core, request: settings.SetPayload) -> Done:
    arm = get_arm(core, request.robot)
    where = f"robot {arm.name}"
    if not 0.0 <= request.mass_kg <= HEAVIEST_KG:  # also false for NaN
        raise InputError("payload", where=where, value=request.mass_kg, limit=f"0 to {HEAVIEST_KG:g} kg")
    _validate_offset(np.array(request.centre_m), where)
    _validate_payload(core, arm, request)
    arm.mass_kg, arm.centre_m = request.mass_kg, request.centre_m
    return Done(request.sequence)


def _validate_payload(core: Core, arm: Arm, request: settings.SetPayload) -> None:
    torques = core.compute_payload_torques(arm, request.mass_kg, request.centre_m)
    for axis, torque in zip(core.cell.axes, torques.tolist(), strict=True):
        bound = PAYLOAD_SHARE * (axis.max_torque or math.inf)
        if abs(torque) > bound:
            raise InputError(
                f"the payload is too heavy: axis {axis.name} would have to give {abs(torque):.1f} to hold it",
                where=f"robot {arm.name}",
                value=request.mass_kg,
                limit=f"{bound:.1f}, half of what the drive can give",
            )


def _save_pose(core: Core, request: settings.SavePose) -> Done:
    arm = get_arm(core, request.robot)
    _validate_name(request.name, "pose", set(arm.robot.poses))
    if request.name not in arm.saved_poses and len(arm.saved_poses) >= MAX_NAMES:
        raise InputError("too many saved poses", where=f"robot {arm.name}", value=MAX_NAMES, limit=MAX_NAMES)
    here = core.measured.q_measured[arm.index]
    joints = here if request.joints is None else arm.limits.validate_goal(here, request.joints)
    written = [axis.to_written(value) for axis, value in zip(arm.robot.axes, joints.tolist(), strict=True)]
    rounded = [axis.clamp(axis.from_written(value)) for axis, value in zip(arm.robot.axes, written, strict=True)]
    arm.saved_poses[request.name] = tuple(rounded)
    core.setup_number += 1
    core.journal.note(events.PosesChanged, request=request.origin, robot=arm.name, pose=request.name, deleted=False)
    return Done(request.sequence)


def _delete_pose(core: Core, request: settings.DeletePose) -> Done:
    arm = get_arm(core, request.robot)
    if request.name not in arm.saved_poses:
        raise UnknownName("saved pose", request.name, tuple(arm.saved_poses), where=f"robot {arm.name}")
    del arm.saved_poses[request.name]
    core.setup_number += 1
    core.journal.note(events.PosesChanged, request=request.origin, robot=arm.name, pose=request.name, deleted=True)
    return Done(request.sequence)


def _validate_name(name: str, kind: str, taken: set[str]) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(
            f"no name for a {kind}", value=name, limit="a letter, then up to 39 letters, digits, '_' or '-'"
        )
    if name in taken:
        raise InputError(f"the cell has a {kind} of that name", value=name, remedy="Choose another name.")


def _validate_offset(offset: np.ndarray, where: str) -> None:
    if not np.abs(offset).max() <= LARGEST_OFFSET_M:  # also true for NaN
        raise InputError("offset", where=where, value=offset.tolist(), limit=f"{LARGEST_OFFSET_M} m")


HANDLERS = {
    settings.Power: _power,
    settings.SetSpeedFactor: _set_speed_factor,
    settings.SetTipSpeed: _set_tip_speed,
    settings.SetConfiguration: _set_configuration,
    settings.Free: _free,
    settings.Hold: _hold,
    settings.SetTool: _set_tool,
    settings.SetSignal: _set_signal,
    settings.DefineToolFrame: _define_tool_frame,
    settings.DefineUserFrame: _define_user_frame,
    settings.SetPayload: _set_payload,
    settings.SavePose: _save_pose,
    settings.DeletePose: _delete_pose,
}
