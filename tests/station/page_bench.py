"""A page and the cell that it talks to, in one process."""

from typing import TypeVar

from telecell.bus import Link, Report
from telecell.clock import ManualClock
from telecell.messages import AnyRequest
from telecell.runtime import RunningCell
from telecell.station.page import Page

PanelType = TypeVar("PanelType")


class Bench:
    """A page on a real web server, and the fake cell that it talks to, stepped together by hand."""

    def __init__(self, page: Page, running: RunningCell, link: Link[AnyRequest], clock: ManualClock):
        self.page = page
        self.running = running
        self.link = link
        self.clock = clock

    def get_panel(self, kind: type[PanelType]) -> PanelType:
        return next(panel for panel in self.page.panels if isinstance(panel, kind))

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.page.step(self.clock.now())
            replies = [self.running.handle(request) for request in iter(self.link.maybe_receive, None)]
            self.running.run(0.1)
            self.clock.advance(0.1)
            self.link.send(Report(self.running.state(), tuple(replies)))
        self.page.step(self.clock.now())
