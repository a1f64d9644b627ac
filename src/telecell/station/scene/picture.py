"""Draws the scene anew, as often as a person can see it."""

from __future__ import annotations

import viser

from telecell.messages import CellState
from telecell.station.scene.scene import Scene
from telecell.station.state import StationState


class Picture:
    """Shows the newest state in the scene, all bodies at once."""

    period_s = 1 / 30

    def __init__(self, server: viser.ViserServer, scene: Scene, state: StationState):
        self._server = server
        self._scene = scene
        self._state = state
        self._drawn: CellState | None = None

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Draw the newest state."""
        newest = self._state.newest
        if newest is not self._drawn:
            self._drawn = newest
            with self._server.atomic():
                self._scene.update(newest)
