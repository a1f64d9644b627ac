"""What all panels have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import viser

from telecell.station.state import StationState

Later = Callable[..., None]
"""`later(action, *arguments)` has the page's own thread do something: all that a callback of viser may do."""


class Panel(Protocol):
    """A part of the page that shows the newest state every now and then."""

    period_s: float

    def update(self, now_s: float) -> None:
        """Show the newest state."""
        ...


class TextPanel:
    """A panel that is one text about what the page knows.

    Attributes:
        text: what is shown.
    """

    period_s = 0.25

    def __init__(self, gui: viser.GuiApi, state: StationState):
        self._state = state
        self.text = gui.add_html("")
