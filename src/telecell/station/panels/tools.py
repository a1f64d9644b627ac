"""Tools that open and close."""

from __future__ import annotations

import viser

from telecell.models import Tool
from telecell.station.commander import Commander
from telecell.station.panels.panel import Later
from telecell.station.panels.table import Row, write_table
from telecell.station.state import StationState

OPENINGS = {"Open": 1.0, "Close": 0.0}


class ToolsPanel:
    """Two buttons per tool, and what its fingers and light beam say."""

    period_s = 0.25

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later):
        self._state = state
        self._commander = commander
        self._text: viser.GuiHtmlHandle | None = None
        if not state.cell.tools:
            return
        with gui.add_folder("Tools"):
            for tool in state.cell.tools:
                self._add_tool(gui, tool, later)
            self._text = gui.add_html("")

    def _add_tool(self, gui: viser.GuiApi, tool: Tool, later: Later) -> None:
        group = gui.add_button_group(_write_name(tool.name), tuple(OPENINGS), hint=tool.name)

        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                later(self.operate, tool, event.target.value, event.client_id)

    def operate(self, tool: Tool, option: str, client_id: int) -> None:
        """A person wants a tool to open or close."""
        if option in OPENINGS:  # the browser may send anything
            self._commander.set_tool(tool.name, OPENINGS[option], client_id)

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show openings and beams."""
        newest = self._state.newest
        if self._text is None or newest is None:
            return
        tools = [
            Row(_write_name(tool.name), f"{100 * tool.opening:.0f} % open", key=tool.name) for tool in newest.tools
        ]
        beams = [
            Row(f"{_write_name(beam.name)} beam", "interrupted" if beam.interrupted else "clear", key=beam.name)
            for beam in newest.beams
        ]
        self._text.content = write_table([*tools, *beams])


def _write_name(name: str) -> str:
    return name.partition("/")[0].replace("_", " ")
