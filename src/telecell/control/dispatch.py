"""From a request to whoever carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.control.grants import Held
from telecell.control.handlers import granting, moving, queries, settings, stopping
from telecell.control.handlers.access import get_arm
from telecell.errors import NotHolder
from telecell.messages import AnyReply, AnyRequest, Command, Renewal
from telecell.messages.granting import Acquire
from telecell.messages.settings import SetTool

HANDLERS: dict[type, Callable[[Any, Any], AnyReply]] = {
    **queries.HANDLERS,
    **granting.HANDLERS,
    **settings.HANDLERS,
    **moving.HANDLERS,
    **stopping.HANDLERS,
}


def carry_out(core: Core, request: AnyRequest) -> AnyReply:
    """Do what is asked.

    Raises:
        TelecellError: why not; nothing was done.
    """
    if not isinstance(request, Command) or isinstance(request, Acquire):
        return HANDLERS[type(request)](core, request)
    held = core.grants.admit(request, core.ticks)
    _validate_covered(core, held, request)
    reply = HANDLERS[type(request)](core, request)
    if not isinstance(request, Renewal):
        held.note_command(core.ticks.now_s)
    return reply


def _validate_covered(core: Core, held: Held, request: Command) -> None:
    """Refuse a command for axes that are not under its grant.

    Raises:
        NotHolder: with the robot, the axis, and who has it.
    """
    robots = _list_robots(core, request)
    if not robots or any(held.covers(arm.mask) for arm in robots):
        return
    missing = robots[0].mask & ~held.mask
    other = next(iter(core.grants.find_overlapping(missing)), None)
    raise NotHolder(
        f"the grant of {held.holder} is for other axes",
        where=f"robot {robots[0].name}, {f'{other.holder} has control' if other else 'nobody has control'}",
        value=core.axes.get_names(missing)[0],
        remedy="Take control of the robot first.",
    )


def _list_robots(core: Core, request: Command) -> list[Arm]:
    """The robots of which one must be under the grant; none for what belongs to the cell as a whole."""
    if isinstance(request, SetTool):
        return [arm for arm in core.arms.values() if arm.robot.tool == request.tool]
    robot = getattr(request, "robot", None)
    return [] if robot is None else [get_arm(core, robot)]
