"""The page as a client of the cell: requests out, replies back to whoever asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from telecell.bus import Link, Report
from telecell.messages import AnyReply, Grant, Refused, Request
from telecell.messages.replies import Controlled
from telecell.messages.settings import ReleaseControl, TakeControl
from telecell.messages.stopping import Stop

HOLDER = "station"
"""The page commands as one, whoever has it open."""

MAX_PENDING = 1000
NO_ROOM = "The cell takes no requests at the moment. Try again."

ClientId = int
OnReply = Callable[[AnyReply], None]


@dataclass(frozen=True, slots=True)
class _Pending:
    client: ClientId | None
    on_reply: OnReply | None


class Commander:
    """Numbers the requests, gives them the grant and the newest tick, and tells who asked when one is refused.

    Args:
        link: to the cell server.
        on_refusal: called with the person's client number and the reason.

    Attributes:
        grant: the page's right to command, while it has it.
    """

    def __init__(self, link: Link[Report], on_refusal: Callable[[ClientId, str], None]):
        self.grant: Grant | None = None
        self._link = link
        self._on_refusal = on_refusal
        self._sequence = 0
        self._tick: int | None = None
        self._stop_pressed = False
        self._pending: OrderedDict[int, _Pending] = OrderedDict()

    def ask(
        self, kind: type[Request], client: ClientId | None = None, on_reply: OnReply | None = None, **fields: Any
    ) -> bool:
        """Send a request.

        Args:
            kind: which.
            client: the person behind it, who is told of a refusal; None when the page asks for itself.
            on_reply: called with the reply.
            fields: of the request, apart from those that every request has.

        Returns:
            Whether there was room for it.
        """
        self._sequence += 1
        if not self._link.send(kind(sequence=self._sequence, grant=self.grant, echo=self._tick, **fields)):
            self._refuse(client, NO_ROOM)
            return False
        self._pending[self._sequence] = _Pending(client, on_reply)
        while len(self._pending) > MAX_PENDING:
            self._pending.popitem(last=False)
        return True

    def take_control(self, client: ClientId) -> None:
        """Ask for the grant, unless the page has it."""
        if self.grant is None:
            self.ask(TakeControl, client, self._keep_grant, holder=HOLDER, source="page")

    def _keep_grant(self, reply: AnyReply) -> None:
        if isinstance(reply, Controlled):
            self.grant = reply.grant

    def release_control(self, client: ClientId) -> None:
        """Give the grant back; motion ends on its path."""
        self.ask(ReleaseControl, client)

    def press_stop(self) -> None:
        """Stop the whole cell as soon as there is room for it; may be called from any thread."""
        self._stop_pressed = True

    def pass_stop_on(self) -> None:
        """Send the stop that was pressed: until it is sent it stays pressed, whatever else waits."""
        if self._stop_pressed and self.ask(Stop, author=HOLDER):
            self._stop_pressed = False

    def take(self, report: Report) -> None:
        """Take in what the cell has answered, and which tick it is."""
        self._tick = report.state.tick
        for reply in report.replies:
            self._settle(reply)
        if report.state.holder != HOLDER:
            self.grant = None

    def _settle(self, reply: AnyReply) -> None:
        pending = self._pending.pop(reply.sequence, None)
        if pending is None:
            return
        if pending.on_reply is not None:
            pending.on_reply(reply)
        if isinstance(reply, Refused):
            self._refuse(pending.client, reply.error.text)

    def _refuse(self, client: ClientId | None, reason: str) -> None:
        if client is not None:
            self._on_refusal(client, reason)
