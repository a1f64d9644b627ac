"""What people want of the cell: requests out, refusals back to whoever asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from telecell.client.pending import Pending
from telecell.client.session import Session
from telecell.errors import TelecellError
from telecell.messages import Command, Request
from telecell.messages.stopping import Stop
from telecell.station.audience import ClientId
from telecell.station.heartbeat import Heartbeat
from telecell.station.state import StationState

HOLDER = "station"
"""The page commands as one, whoever has it open."""

MAX_PENDING = 1000
"""A reply to a set-point may be lost on its way: it is not waited for when so many requests have followed."""

OnReply = Callable[[Any, TelecellError | None], None]
"""Called once, with the reply or with the reason why there is none."""


class Commander:
    """Sends what people want under the page's grants, and tells who asked when it is refused.

    Args:
        session: with the cell.
        state: what the page knows, its own grants among it.
        heartbeat: is told who commands.
        on_refusal: called with the person's client number and the reason.
    """

    def __init__(
        self,
        session: Session,
        state: StationState,
        heartbeat: Heartbeat,
        on_refusal: Callable[[ClientId, str], None],
    ):
        self._session = session
        self._state = state
        self._heartbeat = heartbeat
        self._on_refusal = on_refusal
        self._stop_pressed = False
        self._stop_under_way = False
        self._sent: deque[Pending] = deque()

    def ask(
        self, kind: type[Request], client: ClientId | None = None, on_reply: OnReply | None = None, **fields: Any
    ) -> None:
        """Send a request.

        Args:
            kind: which.
            client: the person behind it, who is told of a refusal; None when the page asks for itself.
            on_reply: told how it ended.
            fields: of the request, apart from those that every request has.
        """
        if issubclass(kind, Command) and "grant" not in fields:
            fields["grant"] = self._state.choose_grant(fields)

        def settle(value: Any, error: TelecellError | None) -> None:
            if on_reply is not None:
                on_reply(value, error)
            if client is not None:
                self._note(client, fields.get("grant"), error)

        try:
            pending = self._session.send(kind, **fields)
        except TelecellError as error:
            settle(None, error)
        else:
            pending.then(settle)
            self._sent.append(pending)
            if len(self._sent) > MAX_PENDING:
                self._session.forget(self._sent.popleft())

    def _note(self, client: ClientId, grant: Any, error: TelecellError | None) -> None:
        """Whoever has commanded something that was carried out is one of those who drive."""
        if error is not None:
            self._on_refusal(client, str(error))
        elif grant is not None:
            self._heartbeat.note_use(grant, client)

    def press_stop(self) -> None:
        """Stop the whole cell as soon as it can be reached; may be called from any thread."""
        self._stop_pressed = True

    def pass_stop_on(self) -> None:
        """Send the stop that was pressed: until the cell has accepted it, it stays pressed."""
        if self._stop_pressed and not self._stop_under_way:
            self._stop_pressed, self._stop_under_way = False, True
            self.ask(Stop, None, self._settle_stop, author=HOLDER)

    def _settle_stop(self, _: Any, error: TelecellError | None) -> None:
        self._stop_under_way = False
        if error is not None:
            self._stop_pressed = True
