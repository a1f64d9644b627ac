"""A page and the cell that it talks to, in one process."""

import threading
from typing import TypeVar

import viser

from telecell.bus import Link, Report
from telecell.clock import ManualClock
from telecell.messages import AnyRequest
from telecell.runtime import RunningCell
from telecell.station.page import Page

PanelType = TypeVar("PanelType")


class Bench:
    """A page on a real web server, and the fake cell that it talks to, stepped together by hand."""

    def __init__(
        self,
        page: Page,
        server: viser.ViserServer,
        running: RunningCell,
        link: Link[AnyRequest],
        clock: ManualClock,
    ):
        self.page = page
        self.server = server
        self.running = running
        self.link = link
        self.clock = clock

    def get_panel(self, kind: type[PanelType]) -> PanelType:
        return next(panel for panel in self.page.panels if isinstance(panel, kind))

    def wait_for_client(self) -> int:
        """The number of the first browser, once it has come in."""
        arrived = threading.Event()
        self.server.on_client_connect(lambda _: arrived.set())
        assert arrived.wait(60)
        return next(iter(self.server.get_clients()))

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.page.step(self.clock.now())
            replies = [self.running.handle(request) for request in iter(self.link.maybe_receive, None)]
            self.running.run(0.1)
            self.clock.advance(0.1)
            self.link.send(Report(self.running.state(), tuple(replies)))
        self.page.step(self.clock.now())
