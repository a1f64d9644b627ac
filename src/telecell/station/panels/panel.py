"""What all panels have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Later = Callable[..., None]
"""`later(action, *arguments)` has the page's own thread do something: all that a callback of viser may do."""


class Panel(Protocol):
    """A part of the page that shows the newest state every now and then."""

    period_s: float

    def update(self, now_s: float) -> None:
        """Show the newest state."""
        ...
