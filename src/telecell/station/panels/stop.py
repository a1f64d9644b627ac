"""The button that stops the whole cell."""

from __future__ import annotations

import viser

from telecell.station.commander import Commander


class StopPanel:
    """STOP: for everybody, at any time, with or without control.

    It has a way of its own past whatever else the page has to do. This is no safety-rated emergency stop.
    """

    def __init__(self, gui: viser.GuiApi, commander: Commander):
        button = gui.add_button(
            "STOP", color="red", icon=viser.Icon.HAND_STOP, hint="Stops the whole cell; Reset lets it move again"
        )

        @button.on_click
        async def _(_: viser.GuiEvent) -> None:
            commander.press_stop()
