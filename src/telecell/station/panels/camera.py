"""From where the scene is seen."""

from __future__ import annotations

import viser

from telecell.geometry import VIEWS_DEG
from telecell.station.panels.panel import Later
from telecell.station.scene import Scene, look

MIN_ASPECT = 0.2
"""A narrower or flatter picture is cut off: from farther away, nothing could be made out."""


class CameraPanel:
    """Buttons for the standard views; each person has a camera of their own."""

    def __init__(self, gui: viser.GuiApi, scene: Scene, later: Later):
        self._scene = scene
        buttons = gui.add_button_group("View", tuple(name.capitalize() for name in VIEWS_DEG))

        @buttons.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client is not None:
                later(self._look, event.client, event.target.value.lower())

    def _look(self, client: viser.ClientHandle, view: str) -> None:
        if view in VIEWS_DEG:  # the browser may send anything
            camera = client.camera
            aspect = camera.image_width / max(camera.image_height, 1)
            with client.atomic():
                look(camera, self._scene.fit_view(view, min(max(aspect, MIN_ASPECT), 1 / MIN_ASPECT)))
