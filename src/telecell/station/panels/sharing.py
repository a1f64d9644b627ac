"""Who has control of what, who waits for it, and how it is passed on."""

from __future__ import annotations

from collections.abc import Iterator

import viser

from telecell.clock import Clock
from telecell.messages import CellState
from telecell.station.audience import Audience
from telecell.station.panels.panel import Later
from telecell.station.panels.table import Row, write_table
from telecell.station.sharing import Sharing
from telecell.station.state import StationState
from telecell.station.wording import get_source_title

HAND_OVER = "Hand over"
TAKE_BACK = "Take back"
NOBODY_WAITS: str = "nobody waits"
CONFIRM_S = 5.0
DEFAULT_REASON = "no reason given"


class SharingPanel:
    """The grants and the queue; hand-over to somebody who waits, and take-back by a supervisor.

    Attributes:
        text: who has what.
        next: who waits and may be given control.
        author: the name of who takes control back.
        reason: why.
    """

    period_s = 0.25

    def __init__(
        self, gui: viser.GuiApi, state: StationState, sharing: Sharing, audience: Audience, later: Later, clock: Clock
    ):
        self._state = state
        self._sharing = sharing
        self._audience = audience
        self._later = later
        self._clock = clock
        self._first_press: tuple[int, float] | None = None
        with gui.add_folder("Sharing", expand_by_default=False, visible=state.robot is not None):
            self.text = gui.add_html("")
            self.next = gui.add_dropdown("Next", (NOBODY_WAITS,))
            self._add_button(gui, HAND_OVER, "Stops the robots and lets the chosen one have control")
            self.author = gui.add_text("Your name", "")
            self.reason = gui.add_text("Reason", "")
            self._add_button(gui, TAKE_BACK, "Stops the robots and takes control from whoever has it; press twice")

    def _add_button(self, gui: viser.GuiApi, label: str, hint: str) -> None:
        button = gui.add_button(label, hint=hint)

        @button.on_click
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:
                self._later(self.press, label, event.client_id)

    def press(self, option: str, client_id: int) -> None:
        """A person wants control to go to somebody else, or to come here."""
        if option == HAND_OVER:
            self._sharing.hand_over(self._state.scope, self.next.value, client_id)
        elif option == TAKE_BACK and self._is_confirmed(client_id):
            reason = self.reason.value.strip() or DEFAULT_REASON
            self._sharing.take_back(self._state.scope, self.author.value, reason, client_id)

    def _is_confirmed(self, client_id: int) -> bool:
        """Whether the same person has pressed before, a short while ago; if not, they are told to press again."""
        now_s, first = self._clock.now(), self._first_press
        if first is not None and first[0] == client_id and now_s - first[1] <= CONFIRM_S:
            self._first_press = None
            return True
        self._first_press = client_id, now_s
        what = "the whole cell" if self._state.whole_cell else " ".join(self._state.scope)
        self._audience.tell(
            client_id, TAKE_BACK, f"This stops {what}. Press again within {CONFIRM_S:g} s to take control."
        )
        return False

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest grants and the queue."""
        newest = self._state.newest
        self.text.content = write_table(self._list_rows(newest))
        options = tuple(dict.fromkeys(newest.waiting)) or (NOBODY_WAITS,)
        if self.next.options != options:
            self.next.options = options

    def _list_rows(self, newest: CellState) -> Iterator[Row]:
        for grant in newest.grants:
            yield Row(
                f"grant_{grant.tenure}",
                f"{grant.holder}, {get_source_title(grant.source)}",
                self._write_robots(set(grant.axes)),
            )
        for place, holder in enumerate(newest.waiting, start=1):
            yield Row(f"waiting_{place}", f"{holder} waits", f"place {place}")

    def _write_robots(self, axes: set[str]) -> str:
        """The largest robots that are made of these axes; of axes beside them, how many there are."""
        inside = [robot for robot in self._state.cell.robots if axes.issuperset(robot.axis_names)]
        names: list[str] = []
        left = set(axes)
        for robot in sorted(inside, key=lambda robot: -len(robot.axes)):
            if left.intersection(robot.axis_names):
                names.append(robot.name)
                left.difference_update(robot.axis_names)
        return ", ".join([*names, *([f"{len(left)} axes"] if left else [])])
