"""How well the twin keeps time."""

from __future__ import annotations

from telecell.messages import CellState
from telecell.station.panels.panel import TextPanel
from telecell.station.panels.table import Row, write_bar
from telecell.station.units import write_time


class LoopPanel(TextPanel):
    """Real-time factor and overruns of the cell's control loop."""

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest account."""
        self.text.content = write_bar(_describe(self._state.newest, self._state.silence_s))


def _describe(state: CellState, silence_s: float) -> list[Row]:
    if silence_s:
        return [Row("twin", "Twin", f"silent for {silence_s:.0f} s")]
    loop = state.loop
    return [
        Row("real_time_factor", "Real time", f"{loop.real_time_factor:.2f} ×"),
        Row("overruns", "Tick overruns", f"{loop.overruns}"),
        Row("dropped", "Ticks dropped", f"{loop.dropped}"),
        Row("time", "Twin time", write_time(state.time_s)),
    ]
