"""The page as a whole: takes the cell's reports in, shows them, and passes on what its person does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import viser

from telecell.bus import Link, Report
from telecell.clock import Clock
from telecell.models import Cell
from telecell.station.commander import Commander
from telecell.station.panels import (
    CameraPanel,
    JointsPanel,
    LoopPanel,
    Panel,
    PosesPanel,
    ReadingsPanel,
    RobotPanel,
    ScenePanel,
    ToolsPanel,
)
from telecell.station.scene import Scene, look
from telecell.station.state import StationState

FRAME_S = 1 / 30
MAX_ACTIONS = 1000
"""A browser that floods the page pushes out its own oldest actions."""

USUAL_ASPECT = 1.3
"""Width over height of the picture beside the panels on most screens."""

REFUSAL_SHOWN_S = 8.0


class Page:
    """Scene and panels of one cell.

    Everything happens in the thread that calls `run`: viser's callbacks only leave an action behind.

    Args:
        cell: the description.
        link: to the cell server.
        server: serves the page.
        clock: paces the picture.

    Attributes:
        commander: passes on what persons want.
        scene: what is drawn.
        panels: what is updated every now and then.
    """

    def __init__(self, cell: Cell, link: Link[Report], server: viser.ViserServer, clock: Clock):
        self._link = link
        self._server = server
        self._clock = clock
        self._actions: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque(maxlen=MAX_ACTIONS)
        self._state = StationState(cell)
        self.commander = Commander(link, self._show_refusal)
        self.scene = Scene(server.scene, cell)
        look(server.initial_camera, self.scene.fit_view("iso", USUAL_ASPECT))
        self.panels = self._build_panels(server.gui)
        self._due_s = [clock.now()] * len(self.panels)

    def _build_panels(self, gui: viser.GuiApi) -> list[Panel]:
        """Time and view on top, where they are always seen; below, what is done with the robots and the picture."""
        state, commander = self._state, self.commander
        panels: list[Panel] = [LoopPanel(gui, state)]
        CameraPanel(gui, self.scene, self.later)
        tabs = gui.add_tab_group()
        with tabs.add_tab("Drive"):
            panels += [
                RobotPanel(gui, state, self.later),
                PosesPanel(gui, state, commander, self.later),
                JointsPanel(gui, state, commander, self.later, self._clock),
                ReadingsPanel(gui, state),
                ToolsPanel(gui, state, commander, self.later),
            ]
        with tabs.add_tab("Scene"):
            ScenePanel(gui, self.scene, self.later)
        return panels

    def later(self, action: Callable[..., None], *arguments: Any) -> None:
        """Have something done by the page's own thread; may be called from any thread."""
        self._actions.append((action, arguments))

    def run(self, should_end: Callable[[], bool]) -> None:
        """Keep the page up to date until told to end."""
        while not should_end():
            now_s = self._clock.now()
            self.step(now_s)
            self._clock.sleep_until(now_s + FRAME_S)

    def step(self, now_s: float) -> None:
        """One picture."""
        while self._actions:
            action, arguments = self._actions.popleft()
            action(*arguments)
        self._take_reports(now_s)
        for index, panel in enumerate(self.panels):
            if now_s >= self._due_s[index]:
                self._due_s[index] = now_s + panel.period_s
                panel.update(now_s)

    def _take_reports(self, now_s: float) -> None:
        """Every reply counts, but only the newest state is drawn."""
        newest = None
        while (report := self._link.maybe_receive()) is not None:
            self.commander.settle(report.replies)
            newest = report.state
        if newest is not None:
            self._state.take(newest, now_s)
            with self._server.atomic():
                self.scene.update(newest)

    def _show_refusal(self, client_id: int, reason: str) -> None:
        client = self._server.get_clients().get(client_id)
        if client is not None:
            client.add_notification("Refused", reason, color="red", auto_close_seconds=REFUSAL_SHOWN_S)
