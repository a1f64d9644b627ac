"""What the client needs of whatever lies between it and the cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from telecell.client.link import LinkState
from telecell.messages import AnyEvent, AnyReply, AnyRequest, CellState, Grant
from telecell.messages.granting import Source
from telecell.plant.cameras import Picture


class Arrival(NamedTuple):
    """What has come from the cell, in its order.

    Attributes:
        restarted: the cell came up anew before this: what was asked of it earlier is gone.
        incomplete: events are missing before these, and nobody has them any more.
    """

    replies: tuple[AnyReply, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    restarted: bool = False
    incomplete: bool = False


class Transport(Protocol):
    """The way to one cell and back.

    Attributes:
        period_s: the cell's control period.
        sender: tells this program from all others that talk to the cell.
        source: what it is for the cell, unless it says otherwise.
    """

    period_s: float
    sender: str
    source: Source

    def start(self) -> None:
        """Open what has to be opened."""
        ...

    @property
    def tick(self) -> int:
        """The newest tick of the cell that is known here."""
        ...

    @property
    def time_s(self) -> float:
        """The cell's time at that tick."""
        ...

    def freshen(self) -> None:
        """See to it that the newest tick is not an old one because of this side."""
        ...

    def submit(self, request: AnyRequest) -> None:
        """Send a request; `pump` brings its reply."""
        ...

    def pump(self) -> Arrival:
        """Let time pass until something arrives, at most one control period.

        Raises:
            CellUnreachable: nothing has come from the cell for too long.
        """
        ...

    def poll(self) -> Arrival:
        """What has arrived, without letting time pass."""
        ...

    def hold(self, grants: Mapping[Grant, bool]) -> None:
        """Renew these grants from now on, and no others.

        Args:
            grants: what the program holds; True for what is attended: signs of life that motion needs are given only
                inside the program's own calls.
        """
        ...

    def state(self) -> CellState:
        """The newest state of the cell that is known here."""
        ...

    def link(self) -> LinkState:
        """How good the way to the cell is."""
        ...

    def render(self, view: str, *, width: int, height: int) -> Picture:
        """A picture of the cell.

        Raises:
            RenderingUnavailable: none can be drawn here.
        """
        ...

    def save(self) -> bytes:
        """The complete state of the running cell.

        Raises:
            SnapshotsUnsupported: this cell cannot be saved from here.
        """
        ...

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state; whoever has control keeps it.

        Raises:
            SnapshotMismatch: it is damaged or of another cell; everything stays as it was.
            SnapshotsUnsupported: this cell cannot be restored from here.
        """
        ...

    def close(self) -> None:
        """Let go of the cell; may be called twice."""
        ...
