"""How well the page hears the cell."""

from __future__ import annotations

from telecell.station.panels.panel import TextPanel
from telecell.station.panels.table import Row, write_bar


class LinkPanel(TextPanel):
    """Age of the newest state, round trip of requests, and states that were lost on the way."""

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest figures."""
        link = self._state.link
        self.text.content = write_bar(
            [
                Row("age", "State age", _write_ms(link.age_s)),
                Row("round_trip", "Round trip", _write_ms(link.round_trip_s)),
                Row("lost", "States lost, last second", f"{link.lost}"),
            ]
        )


def _write_ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"
