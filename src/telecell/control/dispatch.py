"""From a request to whoever carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telecell.control.core import Core
from telecell.control.handlers import moving, queries, settings, stopping
from telecell.messages import AnyReply, AnyRequest, Command
from telecell.messages.settings import TakeControl

HANDLERS: dict[type, Callable[[Any, Any], AnyReply]] = {
    **queries.HANDLERS,
    **settings.HANDLERS,
    **moving.HANDLERS,
    **stopping.HANDLERS,
}


def carry_out(core: Core, request: AnyRequest) -> AnyReply:
    """Do what is asked.

    Raises:
        TelecellError: why not; nothing was done.
    """
    if isinstance(request, Command) and not isinstance(request, TakeControl):
        core.holder.admit(request, core.ticks)
    return HANDLERS[type(request)](core, request)
