"""Tools that open and close."""

from __future__ import annotations

import viser

from telecell.messages import ToolState
from telecell.messages.settings import SetTool
from telecell.models import Tool
from telecell.station.commander import Commander
from telecell.station.panels.panel import Later
from telecell.station.panels.table import Row, write_table
from telecell.station.state import StationState
from telecell.station.units import write_number

OPENINGS = {"Open": 1.0, "Close": 0.0}


class ToolsPanel:
    """Two buttons per tool, and how far it is open.

    Attributes:
        text: what is shown; None in a cell without tools.
    """

    period_s = 0.25

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later):
        self._state = state
        self._commander = commander
        self.text: viser.GuiHtmlHandle | None = None
        if not state.cell.tools:
            return
        with gui.add_folder("Tools"):
            for tool in state.cell.tools:
                self._add_tool(gui, tool, later)
            self.text = gui.add_html("")

    def _add_tool(self, gui: viser.GuiApi, tool: Tool, later: Later) -> None:
        group = gui.add_button_group(_write_name(tool.name), tuple(OPENINGS), hint=tool.name)

        @group.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                later(self.operate, tool, event.target.value, event.client_id)

    def operate(self, tool: Tool, option: str, client_id: int) -> None:
        """A person wants a tool to open or close."""
        if option in OPENINGS:  # the browser may send anything
            self._commander.ask(SetTool, client_id, tool=tool.name, opening=OPENINGS[option])

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the openings."""
        if self.text is not None:
            self.text.content = write_table(_write_tool(tool) for tool in self._state.newest.tools)


def _write_tool(tool: ToolState) -> Row:
    return Row(tool.name, _write_name(tool.name), f"{write_number(100 * tool.opening)} % open")


def _write_name(name: str) -> str:
    return name.partition("/")[0].replace("_", " ")
