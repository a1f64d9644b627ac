"""May this robot do this now? The table of modes answers."""

from __future__ import annotations

from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.control.modes import MODES, Mode
from telecell.control.stops import STOPS
from telecell.errors import (
    AxisBusy,
    AxisFree,
    MotionError,
    MotionHalted,
    NoArmPower,
    TelecellError,
    UnknownName,
)
from telecell.messages import Command


def get_arm(core: Core, name: str) -> Arm:
    """The robot of that name.

    Raises:
        UnknownName: with the known ones.
    """
    if name not in core.arms:
        raise UnknownName("robot", name, tuple(core.arms), where=f"cell {core.cell.name}")
    return core.arms[name]


def admit(core: Core, robot: str, request: Command) -> Arm:
    """The robot, if its mode takes the command.

    Raises:
        MotionError: it does not, and what would help.
    """
    arm = get_arm(core, robot)
    operation = str(request.__struct_config__.tag)
    mode = core.get_mode(arm)
    if operation in MODES[mode].takes:
        return arm
    where = f"robot {robot}"
    if mode is Mode.OFF:
        raise NoArmPower("the drives are off", where=where, remedy="Switch the power on first.")
    if mode is Mode.FREE:
        raise AxisFree("axes are free to be moved by hand", where=where, remedy="Hold them first.")
    if mode is Mode.STOPPED:
        raise build_stopped(core, arm)
    if mode is Mode.STOPPING:
        if core.axes.is_latched(arm.index):
            raise build_stopped(core, arm)
        raise MotionHalted("the robot is coming to rest", where=where, remedy="Wait until it holds, then ask again.")
    validate_alone(core, arm)
    if mode is Mode.TRACKING:
        raise AxisBusy("the robot follows a stream", where=where, remedy="End the stream, or halt.")
    if mode is Mode.MOVING:
        raise AxisBusy("segments are queued", where=where, remedy="Wait until they have ended, or halt.")
    raise MotionError(f"nothing to {operation.replace('_', ' ')}", where=where, remedy="The robot holds its place.")


def validate_alone(core: Core, arm: Arm) -> None:
    """Refuse while another robot moves an axis of this one.

    Raises:
        AxisBusy: with the axis and the robot.
    """
    rival = core.find_rival(arm)
    if rival is not None:
        axis, other = rival
        raise AxisBusy(
            f"axis {axis} is moved by robot {other}",
            where=f"robot {arm.name}",
            value=axis,
            remedy=f"Wait until {other} holds.",
        )


def build_stopped(core: Core, arm: Arm) -> TelecellError:
    """The error of a robot that is stopped, with its cause."""
    axis = next(i for i in arm.index.tolist() if core.axes.latches[i] is not None)
    cause = str(core.axes.latches[axis])
    return STOPS[cause].error(
        f"stopped, {STOPS[cause].title}: {core.axes.reasons[axis]}",
        where=f"robot {arm.name}",
        value=cause,
        remedy=f"To go on: {STOPS[cause].cleared_by}.",
    )
