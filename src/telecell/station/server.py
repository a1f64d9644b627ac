"""The web server of the page: viser, on this machine only."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import viser

from telecell.bus import LOOPBACK
from telecell.errors import PortBusy

ACCENT = (20, 115, 230)
PANEL_WIDTH_PX = 400


class LocalServer(viser.ViserServer):
    """A viser server that cannot be published: any page in the browser could ask it to open a tunnel."""

    def request_share_url(self, verbose: bool = True) -> str | None:  # noqa: ARG002
        """Never: the page stays on this machine."""
        return None


@contextlib.contextmanager
def open_server(port: int, title: str) -> Iterator[viser.ViserServer]:
    """Serve an empty page with our theme.

    Raises:
        PortBusy: another program listens on the port.
    """
    os.environ.pop("_VISER_PORT_OVERRIDE", None)  # viser would obey it rather than us
    server = LocalServer(LOOPBACK, port, label=title, verbose=False)
    try:
        if server.get_port() != port:  # viser moves on to the next port without a word
            raise PortBusy("another program listens there", where=f"{LOOPBACK}:{port}", remedy="Choose another --port.")
        server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=ACCENT)
        server.gui.main_panel.dock_right()
        server.gui.main_panel.set_width(PANEL_WIDTH_PX)
        yield server
    finally:
        server.stop()
