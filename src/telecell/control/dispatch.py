"""From a request to whoever carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.control.grants import Held, Mask
from telecell.control.handlers import granting, moving, queries, settings, stopping
from telecell.control.handlers.access import get_arm
from telecell.errors import NotHolder, RequestLate
from telecell.messages import AnyReply, AnyRequest, Command, Renewal
from telecell.messages.granting import Acquire, HandOver, MergeGrants, ReleaseGrant, SplitGrant
from telecell.messages.moves import EndStream, Renew
from telecell.messages.settings import Power, SetTool
from telecell.messages.stopping import Halt, Pause, Reset

HANDLERS: dict[type, Callable[[Any, Any], AnyReply]] = {
    **queries.HANDLERS,
    **granting.HANDLERS,
    **settings.HANDLERS,
    **moving.HANDLERS,
    **stopping.HANDLERS,
}

ENDING = (Renewal, Renew, EndStream, Halt, Pause, ReleaseGrant, HandOver, SplitGrant, MergeGrants)
"""Commands that set nothing in motion; neither does switching the power off."""


def carry_out(core: Core, request: AnyRequest) -> AnyReply:
    """Do what is asked.

    Raises:
        TelecellError: why not; nothing was done.
    """
    if not isinstance(request, Command) or isinstance(request, Acquire):
        return HANDLERS[type(request)](core, request)
    held = core.grants.admit(request, core.ticks)
    robots = _list_robots(core, request)
    _validate_covered(core, held, robots)
    if isinstance(request, Reset) and request.robot is None:
        _validate_stop_seen(core, request, held.mask)
    elif _sets_in_motion(request):
        for arm in robots:
            _validate_stop_seen(core, request, arm.mask)
    reply = HANDLERS[type(request)](core, request)
    if not isinstance(request, Renewal):
        held.note_command(core.ticks.now_s)
    return reply


def _sets_in_motion(request: Command) -> bool:
    """Whether something could move because of a command."""
    return not isinstance(request, ENDING) and not (isinstance(request, Power) and not request.on)


def _validate_stop_seen(core: Core, request: Command, mask: Mask) -> None:
    """Refuse what was asked for before its sender knew of a stop: a reset, and whatever comes first after it.

    Raises:
        RequestLate: with the tick of the stop.
    """
    if core.axes.latched[mask].any() and not isinstance(request, Reset):
        return  # refused for that
    stopped_at = int(core.axes.stopped_at[mask].max(initial=-1))
    if request.echo is not None and request.echo <= stopped_at:
        raise RequestLate(
            "the axes were stopped, and the sender had not seen it",
            value=request.echo,
            limit=f"above tick {stopped_at}",
            remedy="Look why, and ask again.",
        )


def _validate_covered(core: Core, held: Held, robots: list[Arm]) -> None:
    """Refuse a command for axes that are not under its grant.

    Raises:
        NotHolder: with the robot, the axis, and who has it.
    """
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
