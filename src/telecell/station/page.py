"""The page as a whole: takes the cell's reports in, shows them, and passes on what its person does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import viser

from telecell.bus import Link, Report
from telecell.clock import Clock
from telecell.messages import VERSION, AnyEvent, AnyReply, Refused
from telecell.messages.events import PosesChanged
from telecell.messages.queries import Describe, Hello
from telecell.messages.replies import Described
from telecell.models import Cell
from telecell.station.audience import SHOWN_S, Audience
from telecell.station.commander import ClientId, Commander
from telecell.station.news import News
from telecell.station.panels import (
    CameraPanel,
    ControlPanel,
    JointsPanel,
    LoopPanel,
    Panel,
    PosesPanel,
    ReadingsPanel,
    RobotPanel,
    ScenePanel,
    SignalsPanel,
    StopPanel,
    ToolsPanel,
)
from telecell.station.scene import Picture, Scene, look
from telecell.station.state import StationState
from telecell.station.streams import Streams

STEP_S = 0.01
"""The page's own beat: how soon it passes things on, and how often it renews its streams."""

MAX_ACTIONS = 1000
"""A browser that floods the page pushes out its own oldest actions."""

USUAL_ASPECT = 1.3
"""Width over height of the picture beside the panels on most screens."""

MAX_REFUSALS = 100


class Page:
    """Scene and panels of one cell.

    Everything happens in the thread that calls `run`: viser's callbacks only leave an action behind.

    Args:
        cell: the description.
        link: to the cell server.
        server: serves the page.
        audience: who has it open.
        clock: paces the picture.

    Attributes:
        commander: passes on what persons want.
        scene: what is drawn.
        panels: what is updated every now and then, the picture included.
    """

    def __init__(self, cell: Cell, link: Link[Report], server: viser.ViserServer, audience: Audience, clock: Clock):
        self._link = link
        self._server = server
        self._audience = audience
        self._clock = clock
        self._actions: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque(maxlen=MAX_ACTIONS)
        self._refusals: deque[tuple[float, ClientId, str]] = deque(maxlen=MAX_REFUSALS)
        self._state = StationState(cell)
        self.commander = Commander(link, self._show_refusal)
        self._streams = Streams(self._state, self.commander, audience)
        self._news = News(self.commander, self._take_event)
        self.scene = Scene(server.scene, cell)
        look(server.initial_camera, self.scene.fit_view("iso", USUAL_ASPECT))
        self.panels = self._build_panels(server.gui)
        self._due_s = [clock.now()] * len(self.panels)

    def _build_panels(self, gui: viser.GuiApi) -> list[Panel]:
        """Time, STOP and view on top, where they are always seen; below, what is done with the robots and the scene."""
        state, commander = self._state, self.commander
        panels: list[Panel] = [Picture(self._server, self.scene, state), LoopPanel(gui, state)]
        StopPanel(gui, commander)
        CameraPanel(gui, self.scene, self.later)
        tabs = gui.add_tab_group()
        with tabs.add_tab("Drive"):
            panels += [
                RobotPanel(gui, state, self.later),
                ControlPanel(gui, state, commander, self._news, self.later),
                PosesPanel(gui, state, commander, self.later),
                JointsPanel(gui, state, self._streams, self.later, self._clock),
                ToolsPanel(gui, state, commander, self.later),
                SignalsPanel(gui, state, commander, self.later),
                ReadingsPanel(gui, state),
            ]
        with tabs.add_tab("Scene"):
            ScenePanel(gui, self.scene, self.later)
        return panels

    def later(self, action: Callable[..., None], *arguments: Any) -> None:
        """Have something done by the page's own thread; may be called from any thread."""
        self._actions.append((action, arguments))

    def run(self, should_end: Callable[[], bool]) -> None:
        """Keep the page up to date until told to end."""
        self.greet()
        while not should_end():
            now_s = self._clock.now()
            self.step(now_s)
            self._clock.sleep_until(now_s + STEP_S)

    def greet(self) -> None:
        """Begin to talk to the cell."""
        self.commander.ask(Hello, None, self._take_welcome, version=VERSION)
        self.commander.ask(Describe, None, self._take_description)

    def step(self, now_s: float) -> None:
        """One beat. What the cell has said comes first, so that requests go out with the newest tick."""
        self.commander.pass_stop_on()
        self._take_reports(now_s)
        while self._actions:
            action, arguments = self._actions.popleft()
            action(*arguments)
        self._streams.update(now_s)
        for index, panel in enumerate(self.panels):
            if now_s >= self._due_s[index]:
                self._due_s[index] = now_s + panel.period_s
                panel.update(now_s)

    def _take_reports(self, now_s: float) -> None:
        """Every reply and event counts, but only the newest state is shown."""
        newest = None
        while (report := self._link.maybe_receive()) is not None:
            self.commander.take(report)
            self._news.take(report, now_s)
            newest = report.state
        if newest is not None:
            self._state.take(newest, now_s)

    def _take_event(self, event: AnyEvent) -> None:
        if isinstance(event, PosesChanged):
            self.commander.ask(Describe, None, self._take_description)

    def _take_welcome(self, reply: AnyReply) -> None:
        if isinstance(reply, Refused):
            self._audience.tell(None, "The cell and its page do not fit", reply.error.text)

    def _take_description(self, reply: AnyReply) -> None:
        if isinstance(reply, Described):
            self._state.take_poses(reply.robots)

    def _show_refusal(self, client: ClientId, reason: str) -> None:
        """Once, as long as it can be read: a dragged slider asks twenty times per second."""
        now_s = self._clock.now()
        while self._refusals and now_s - self._refusals[0][0] > SHOWN_S:
            self._refusals.popleft()
        if (client, reason) not in [shown[1:] for shown in self._refusals]:
            self._refusals.append((now_s, client, reason))
            self._audience.tell(client, "Refused", reason)
