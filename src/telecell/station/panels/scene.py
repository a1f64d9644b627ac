"""What of the scene is seen, and how it is drawn."""

from __future__ import annotations

import viser

from telecell.station.panels.panel import Later
from telecell.station.scene import Scene


class ScenePanel:
    """Wire or solid, frames, and a switch per mount."""

    def __init__(self, gui: viser.GuiApi, scene: Scene, later: Later):
        self._scene = scene
        self._later = later
        self._add_style(gui)
        with gui.add_folder("Mounts"):
            for mount in scene.bodies.mounts:
                self._add_mount(gui, mount)

    def _add_style(self, gui: viser.GuiApi) -> None:
        wire = gui.add_checkbox("Wire frame", initial_value=False)
        frames = gui.add_checkbox("Frames", initial_value=False)

        @wire.on_update
        async def _(event: viser.GuiEvent) -> None:
            self._later(self._scene.bodies.draw_wire, event.target.value)

        @frames.on_update
        async def _(event: viser.GuiEvent) -> None:
            self._later(self._scene.frames.show, event.target.value)

    def _add_mount(self, gui: viser.GuiApi, mount: str) -> None:
        switch = gui.add_checkbox(mount.replace("_", " "), initial_value=True)

        @switch.on_update
        async def _(event: viser.GuiEvent) -> None:
            self._later(self._scene.bodies.show_mount, mount, event.target.value)
