"""The page's sign of life: its grants are renewed as long as the people who use them have the page open."""

from __future__ import annotations

from dataclasses import dataclass, field

from telecell.client.renewals import FIRST_NUMBER
from telecell.client.session import Session
from telecell.messages import Grant
from telecell.messages.granting import RenewGrant
from telecell.station.audience import Audience, ClientId
from telecell.station.state import StationState

BEAT_S = 0.05
"""A sixth of the silence after which the cell stops what the page moves."""

MOST_ABSENT = 20
"""So many beats a grant may be missing in the cell's states: the first that shows it may come after the reply."""


@dataclass(slots=True)
class _Use:
    """Who uses a grant.

    Attributes:
        latest: who commanded last.
        people: everybody who has commanded.
        number: of the last renewal; one follows the other, so that the cell sees how many are lost.
        absent: beats since a state of the cell has shown the grant.
    """

    latest: ClientId
    people: set[ClientId] = field(default_factory=set)
    number: int = FIRST_NUMBER
    absent: int = 0


class Heartbeat:
    """Renews each grant of the page while somebody who has used it is there.

    Motion needs more: it goes on only while the one who commanded last is there.

    Args:
        session: with the cell.
        state: what the page knows, its own grants among it.
        audience: who is there.
    """

    def __init__(self, session: Session, state: StationState, audience: Audience):
        self._session = session
        self._state = state
        self._audience = audience
        self._uses: dict[Grant, _Use] = {}
        self._due_s = 0.0

    def begin(self, grant: Grant, client: ClientId) -> None:
        """A person was given a grant, or takes part in it."""
        self._uses.setdefault(grant, _Use(client))
        self.note_use(grant, client)

    def note_use(self, grant: Grant, client: ClientId) -> None:
        """A person has commanded with a grant."""
        if grant in self._uses:
            use = self._uses[grant]
            use.latest = client
            use.people.add(client)

    def update(self, now_s: float) -> None:
        """Renew what is due; once per beat of the page, from its own thread only."""
        if now_s < self._due_s:
            return
        self._due_s = now_s + BEAT_S
        for grant, use in self._uses.items():
            use.absent = 0 if grant in self._state.own_grants else use.absent + 1
            if not use.absent and any(self._audience.is_here(client) for client in use.people):
                self._renew(grant, use)
        self._uses = {grant: use for grant, use in self._uses.items() if use.absent < MOST_ABSENT}

    def forget(self) -> None:
        """The cell was restarted: no grant counts any more."""
        self._uses.clear()

    def _renew(self, grant: Grant, use: _Use) -> None:
        use.number += 1
        transport = self._session.transport
        transport.submit(
            RenewGrant(
                sequence=use.number,
                sender=transport.sender,
                grant=grant,
                echo=transport.tick,
                attending=self._audience.is_here(use.latest),
            )
        )
