"""The page as a whole: takes in what the cell says, shows them, and passes on what its person does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import viser

from telecell.client.session import Session
from telecell.clock import Clock
from telecell.errors import TelecellError, VersionMismatch
from telecell.messages import VERSION, AnyEvent, CellState
from telecell.messages.events import PosesChanged
from telecell.messages.queries import Describe, Hello, Subscribe
from telecell.models import Cell
from telecell.station.audience import SHOWN_S, Audience, ClientId
from telecell.station.commander import Commander
from telecell.station.heartbeat import Heartbeat
from telecell.station.news import News
from telecell.station.panels import (
    CameraPanel,
    ControlPanel,
    JointsPanel,
    LinkPanel,
    LoopPanel,
    Panel,
    PosesPanel,
    ReadingsPanel,
    RobotPanel,
    ScenePanel,
    SharingPanel,
    SignalsPanel,
    StopPanel,
    ToolsPanel,
)
from telecell.station.scene import Picture, Scene, look
from telecell.station.sharing import Sharing
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
        session: with the cell; its transport is started.
        server: serves the page.
        audience: who has it open.
        clock: paces the picture.

    Attributes:
        commander: passes on what persons want.
        sharing: the page's part in who may command.
        scene: what is drawn.
        panels: what is updated every now and then, the picture included.
    """

    def __init__(self, cell: Cell, session: Session, server: viser.ViserServer, audience: Audience, clock: Clock):
        self._session = session
        self._server = server
        self._audience = audience
        self._clock = clock
        self._actions: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque(maxlen=MAX_ACTIONS)
        self._refusals: deque[tuple[float, ClientId, str]] = deque(maxlen=MAX_REFUSALS)
        self._state = StationState(cell, session.transport.sender, session.transport.state())
        self._heartbeat = Heartbeat(session, self._state, audience)
        self.commander = Commander(session, self._state, self._heartbeat, self._show_refusal)
        self.sharing = Sharing(self._state, self.commander, self._heartbeat, audience)
        self._streams = Streams(self._state, self.commander, audience)
        self._news = News()
        session.listeners.add(self._take_event, ())
        self.scene = Scene(server.scene, cell)
        look(server.initial_camera, self.scene.fit_view("iso", USUAL_ASPECT))
        self.panels = self._build_panels(server.gui)
        self._due_s = [clock.now()] * len(self.panels)

    def _build_panels(self, gui: viser.GuiApi) -> list[Panel]:
        """Time, STOP and view on top, where they are always seen; below, what is done with the robots and the scene."""
        state, commander = self._state, self.commander
        panels: list[Panel] = [
            Picture(self._server, self.scene, state),
            LoopPanel(gui, state),
            LinkPanel(gui, state),
        ]
        StopPanel(gui, commander)
        CameraPanel(gui, self.scene, self.later)
        tabs = gui.add_tab_group()
        with tabs.add_tab("Drive"):
            panels += [
                RobotPanel(gui, state, self.later),
                ControlPanel(gui, state, commander, self.sharing, self._news, self.later),
                SharingPanel(gui, state, self.sharing, self._audience, self.later, self._clock),
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
        self.commander.ask(Subscribe, None, self._take_past, after=0)

    def step(self, now_s: float) -> None:
        """One beat. What the cell has said comes first, so that requests go out with the newest tick."""
        self.commander.pass_stop_on()
        self._session.poll()
        self._take_state(self._session.transport.state())
        self._state.link = self._session.transport.link()
        while self._actions:
            action, arguments = self._actions.popleft()
            action(*arguments)
        self._heartbeat.update(now_s)
        self.sharing.update(now_s)
        self._streams.update(now_s)
        for index, panel in enumerate(self.panels):
            if now_s >= self._due_s[index]:
                self._due_s[index] = now_s + panel.period_s
                panel.update(now_s)

    def _take_state(self, state: CellState) -> None:
        before = self._state.newest
        if state is before:
            return
        self._state.take(state)
        if state.epoch != before.epoch:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """The cell was restarted: whatever was under way is gone."""
        for part in (self._heartbeat, self.sharing, self._streams):
            part.forget()
        self._news.begin_anew()
        self._audience.tell(None, "The cell was restarted", "It is without power. Take control, and switch it on.")
        self.greet()

    def _take_event(self, event: AnyEvent) -> None:
        self._news.take([event])
        if isinstance(event, PosesChanged):
            self.commander.ask(Describe, None, self._take_description)

    def _take_welcome(self, _: Any, error: TelecellError | None) -> None:
        if isinstance(error, VersionMismatch):
            self._audience.tell(None, "The cell and its page do not fit", str(error))

    def _take_description(self, described: Any, error: TelecellError | None) -> None:
        if error is None:
            self._state.take_poses(described.robots)

    def _take_past(self, subscribed: Any, error: TelecellError | None) -> None:
        if error is None:
            self._news.take(subscribed.events)

    def _show_refusal(self, client: ClientId, reason: str) -> None:
        """Once, as long as it can be read: a dragged slider asks twenty times per second."""
        now_s = self._clock.now()
        while self._refusals and now_s - self._refusals[0][0] > SHOWN_S:
            self._refusals.popleft()
        if (client, reason) not in [shown[1:] for shown in self._refusals]:
            self._refusals.append((now_s, client, reason))
            self._audience.tell(client, "Refused", reason)
