"""Who may command: asking for it, waiting for it, giving it back and passing it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from telecell.errors import TelecellError
from telecell.messages.granting import Acquire, HandOver, ReleaseGrant, TakeBack
from telecell.messages.replies import Granted, Waiting
from telecell.station.audience import Audience, ClientId
from telecell.station.commander import HOLDER, Commander, OnReply
from telecell.station.heartbeat import Heartbeat
from telecell.station.state import Scope, StationState

ASK_AGAIN_S = 0.2
"""Whoever waits keeps the place in the queue by asking so often."""


@dataclass(slots=True)
class _Wait:
    """Somebody's place in the queue.

    Attributes:
        client: the person who waits.
        due_s: when to ask again; None while an answer is under way.
        place: 1 comes next; None before the first answer.
    """

    client: ClientId
    due_s: float | None
    place: int | None = None


class Sharing:
    """The page's part in who may command what.

    Args:
        state: what the page knows.
        commander: passes on.
        heartbeat: keeps what was given.
        audience: who is there; a person who leaves waits no longer.
    """

    def __init__(self, state: StationState, commander: Commander, heartbeat: Heartbeat, audience: Audience):
        self._state = state
        self._commander = commander
        self._heartbeat = heartbeat
        self._audience = audience
        self._waits: dict[Scope, _Wait] = {}

    def take(self, scope: Scope, client: ClientId) -> None:
        """Have control now, or be told why not; of what the page has already, a person may take part."""
        grant = self._state.find_grant(self._state.list_axes(scope))
        if grant is not None:
            self._heartbeat.begin(grant, client)
            return

        def settle(reply: Any, _: TelecellError | None) -> None:
            self._keep(reply, client)

        self._acquire(scope, client, settle, wait=False)

    def wait(self, scope: Scope, client: ClientId) -> None:
        """Have control as soon as it is this page's turn."""
        self._waits.setdefault(scope, _Wait(client, due_s=0.0)).client = client

    def get_place(self, scope: Scope) -> int | None:
        """The page's place in the queue, while it waits."""
        wait = self._waits.get(scope)
        return wait.place if wait else None

    def release(self, scope: Scope, client: ClientId) -> None:
        """Wait no longer, and give back what the page has; motion ends on its path."""
        waited = self._waits.pop(scope, None) is not None
        for grant in self._state.list_overlapping(scope) or ([] if waited else [None]):
            self._commander.ask(ReleaseGrant, client, grant=grant)

    def hand_over(self, scope: Scope, to: str, client: ClientId) -> None:
        """Stop, and let somebody who waits have it."""
        for grant in self._state.list_overlapping(scope) or [None]:
            self._commander.ask(HandOver, client, grant=grant, to=to)

    def take_back(self, scope: Scope, author: str, reason: str, client: ClientId) -> None:
        """Take control from whoever has it: the robots are stopped, and the page comes next."""

        def settle(_: Any, error: TelecellError | None) -> None:
            if error is None:
                self.wait(scope, client)

        self._commander.ask(TakeBack, client, settle, author=author, reason=reason, axes=scope)

    def update(self, now_s: float) -> None:
        """Ask again where it is time for it; once per beat of the page."""
        for scope, wait in list(self._waits.items()):
            if not self._audience.is_here(wait.client):
                del self._waits[scope]
            elif wait.due_s is not None and now_s >= wait.due_s:
                self._ask_again(scope, wait, now_s)

    def forget(self) -> None:
        """The cell was restarted: nobody waits there any more."""
        self._waits.clear()

    def _ask_again(self, scope: Scope, wait: _Wait, now_s: float) -> None:
        wait.due_s = None

        def settle(reply: Any, _: TelecellError | None) -> None:
            wanted = self._waits.get(scope) is wait
            if isinstance(reply, Waiting):
                wait.place, wait.due_s = reply.place, now_s + ASK_AGAIN_S
                return
            if wanted:
                del self._waits[scope]
                self._keep(reply, wait.client)
            elif isinstance(reply, Granted):  # given to somebody who has changed their mind
                for entry in reply.grants:
                    self._commander.ask(ReleaseGrant, grant=entry.grant)

        self._acquire(scope, wait.client, settle, wait=True)

    def _acquire(self, scope: Scope, client: ClientId, settle: OnReply, *, wait: bool) -> None:
        self._commander.ask(Acquire, client, settle, grant=None, holder=HOLDER, axes=scope, source="page", wait=wait)

    def _keep(self, reply: Any, client: ClientId) -> None:
        if isinstance(reply, Granted):
            for entry in reply.grants:
                self._heartbeat.begin(entry.grant, client)
