"""Who has the page open."""

from __future__ import annotations

from typing import Protocol

import viser

SHOWN_S = 8.0

ClientId = int
"""The number of a browser's connection to the page."""


class Audience(Protocol):
    """The people in front of the page, by the number of their browser's connection."""

    def is_here(self, client: ClientId) -> bool:
        """Whether that browser still has the page open."""
        ...

    def tell(self, client: ClientId | None, title: str, text: str) -> None:
        """Show a note to one of them, or to all."""
        ...


class Browsers:
    """The browsers that are connected to the page's server."""

    def __init__(self, server: viser.ViserServer):
        self._server = server

    def is_here(self, client: ClientId) -> bool:
        """Whether that browser still has the page open."""
        return client in self._server.get_clients()

    def tell(self, client: ClientId | None, title: str, text: str) -> None:
        """Show a note for a while."""
        clients = self._server.get_clients()
        for number, handle in clients.items():
            if client in (None, number):
                handle.add_notification(title, text, color="red", auto_close_seconds=SHOWN_S)
