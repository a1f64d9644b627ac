"""From where the scene is seen."""

from __future__ import annotations

import viser

from telecell.station.panels.panel import Later
from telecell.station.scene import VIEW_NAMES, Scene, look


class CameraPanel:
    """Buttons for the standard views; each person has a camera of their own."""

    def __init__(self, gui: viser.GuiApi, scene: Scene, later: Later):
        self._scene = scene
        buttons = gui.add_button_group("View", tuple(name.capitalize() for name in VIEW_NAMES))

        @buttons.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client is not None:
                later(self._look, event.client, event.target.value.lower())

    def _look(self, client: viser.ClientHandle, view: str) -> None:
        if view in VIEW_NAMES:  # the browser may send anything
            with client.atomic():
                look(client.camera, self._scene.fit_view(view, client.camera.aspect))
