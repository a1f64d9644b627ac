"""Binary signals and light beams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import viser

from telecell.errors import TelecellError
from telecell.messages.settings import SetSignal
from telecell.models.cell import Signal
from telecell.station.commander import Commander
from telecell.station.panels.following_input import FollowingInput
from telecell.station.panels.panel import Later
from telecell.station.panels.table import Row, write_table
from telecell.station.state import StationState
from telecell.station.wording import write_signal


class SignalsPanel:
    """A switch per output; inputs and beams with their values.

    Attributes:
        switches: of the outputs, by name.
        text: what is shown; None in a cell without signals and beams.
    """

    period_s = 0.1

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later):
        self._state = state
        self._commander = commander
        self._changing: set[str] = set()
        self.switches: dict[str, FollowingInput[bool]] = {}
        self.text: viser.GuiHtmlHandle | None = None
        if not state.cell.signals and not state.cell.beams:
            return
        with gui.add_folder("Signals"):
            for signal in state.cell.outputs:
                self.switches[signal.name] = self._add_switch(gui, signal, later)
            self.text = gui.add_html("")

    def _add_switch(self, gui: viser.GuiApi, signal: Signal, later: Later) -> FollowingInput[bool]:
        switch = gui.add_checkbox(signal.title, signal.normal, hint=signal.name)

        @switch.on_update
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:  # a person, not this panel itself
                later(self.switch, signal.name, event.target.value, event.client_id)

        return FollowingInput(switch)

    def switch(self, name: str, value: bool, client_id: int) -> None:
        """A person wants an output on or off."""
        value = bool(value)  # the browser may send anything
        self.switches[name].touch(value, value)

        def settle(_value: Any, _error: TelecellError | None) -> None:
            self._changing.discard(name)

        self._changing.add(name)
        self._commander.ask(SetSignal, client_id, settle, name=name, value=value)

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show every value; a switch waits for the answer to its person's wish."""
        if self.text is None:
            return
        values = self._state.newest.signals
        self.text.content = write_table(self._list_inputs(values))
        for name, switch in self.switches.items():
            switch.follow(values[name], busy=name in self._changing)

    def _list_inputs(self, values: dict[str, bool]) -> Iterator[Row]:
        for signal in self._state.cell.inputs:
            yield Row(signal.name, signal.title, write_signal(values[signal.name]))
        for beam in self._state.cell.beams:
            title = f"light beam of {beam.name.partition('/')[0].replace('_', ' ')}"
            yield Row(beam.name, title, "interrupted" if values[beam.name] else "clear")
