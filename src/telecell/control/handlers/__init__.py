"""One function per request: it changes the controller and answers, or raises and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from telecell.control.handlers import moving, queries, settings, stopping
from telecell.messages import AnyReply, AnyRequest, Command
from telecell.messages.settings import TakeControl

if TYPE_CHECKING:
    from telecell.control.controller import Controller

HANDLERS: dict[type, Callable[[Any, Any], AnyReply]] = {
    **queries.HANDLERS,
    **settings.HANDLERS,
    **moving.HANDLERS,
    **stopping.HANDLERS,
}


def carry_out(core: Controller, request: AnyRequest) -> AnyReply:
    """Do what is asked.

    Raises:
        TelecellError: why not; nothing was done.
    """
    if isinstance(request, Command) and not isinstance(request, TakeControl):
        core.holder.admit(request, core.ticks)
    return HANDLERS[type(request)](core, request)
