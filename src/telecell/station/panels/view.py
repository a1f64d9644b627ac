"""What of the scene is seen, and from where."""

from __future__ import annotations

import viser

from telecell.station.panels.panel import Later
from telecell.station.scene import VIEW_NAMES, Scene, look


class ViewPanel:
    """Camera views, wire or solid, frames, and a switch per mount."""

    def __init__(self, gui: viser.GuiApi, scene: Scene, later: Later):
        self._scene = scene
        with gui.add_folder("View"):
            self._add_camera(gui, later)
            self._add_style(gui, later)
            with gui.add_folder("Show", expand_by_default=False):
                for mount in scene.bodies.mounts:
                    self._add_mount(gui, mount, later)

    def _add_camera(self, gui: viser.GuiApi, later: Later) -> None:
        buttons = gui.add_button_group("Camera", tuple(name.capitalize() for name in VIEW_NAMES))

        @buttons.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client is not None:
                later(self._look, event.client, event.target.value.lower())

    def _look(self, client: viser.ClientHandle, view: str) -> None:
        if view in VIEW_NAMES:  # the browser may send anything
            with client.atomic():
                look(client.camera, self._scene.fit_view(view, client.camera.aspect))

    def _add_style(self, gui: viser.GuiApi, later: Later) -> None:
        style = gui.add_button_group("Bodies", ("Solid", "Wire"))
        frames = gui.add_checkbox("Frames", initial_value=False)

        @style.on_click
        async def _(event: viser.GuiEvent) -> None:
            later(self._scene.bodies.draw_wire, event.target.value == "Wire")

        @frames.on_update
        async def _(event: viser.GuiEvent) -> None:
            later(self._scene.frames.show, event.target.value)

    def _add_mount(self, gui: viser.GuiApi, mount: str, later: Later) -> None:
        switch = gui.add_checkbox(mount.replace("_", " "), initial_value=True)

        @switch.on_update
        async def _(event: viser.GuiEvent) -> None:
            later(self._scene.bodies.show_mount, mount, event.target.value)
