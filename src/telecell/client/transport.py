"""What the client needs of whatever lies between it and the cell."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from telecell.messages import AnyEvent, AnyReply, AnyRequest, CellState
from telecell.plant.cameras import Picture


class Arrival(NamedTuple):
    """What has come from the cell, in its order."""

    replies: tuple[AnyReply, ...]
    events: tuple[AnyEvent, ...]


class Transport(Protocol):
    """The way to one cell and back.

    Attributes:
        period_s: the cell's control period.
    """

    period_s: float

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

    def submit(self, request: AnyRequest) -> None:
        """Send a request; `pump` brings its reply."""
        ...

    def pump(self) -> Arrival:
        """Let time pass until something arrives, at most one control period."""
        ...

    def state(self) -> CellState:
        """The newest state of the cell that is known here."""
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
