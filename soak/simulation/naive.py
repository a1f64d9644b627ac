"""Ways to judge commands that look good enough and are not: the simulator has to find each of them out."""

from __future__ import annotations

from typing import NamedTuple

from telecell.control.grants import Grants, Held
from telecell.control.ticks import Ticks
from telecell.errors import RequestLate
from telecell.messages import Command


class Variant(NamedTuple):
    """A way to judge commands.

    Attributes:
        grants: of the cell.
        stamped: people write the time of their own clock on commands, in place of the tick that they have seen.
    """

    grants: type[Grants] = Grants
    stamped: bool = False


class NameOnly(Grants):
    """Whoever has the name of the holder may command."""

    def get(self, request: Command) -> Held:
        """The grant of whoever sent the command."""
        named = next((held for held in self.held.values() if held.sender == request.sender), None)
        return named or super().get(request)

    def admit(self, request: Command, ticks: Ticks) -> Held:  # noqa: ARG002
        """Let the holder in."""
        return self.get(request)


class NoEcho(Grants):
    """The age of a command does not matter."""

    def validate_age(self, request: Command, ticks: Ticks, held: Held | None = None) -> float:  # noqa: ARG002
        """Everything is new."""
        return 0.0

    def validate_near(self, held: Held, now_s: float) -> None:
        """Everybody is near."""


class SendersClock(Grants):
    """A command is as old as its sender's clock says."""

    def validate_age(self, request: Command, ticks: Ticks, held: Held | None = None) -> float:  # noqa: ARG002
        """Late by the stamp; what seems to come from the future is new."""
        age_s = 0.0 if request.echo is None else ticks.compute_age_s(request.echo)
        if age_s > self.profile.echo_bound_s:
            raise RequestLate("the stamp is an old one", value=f"{age_s:.3f} s", limit=self.profile.echo_bound_s)
        return max(age_s, 0.0)


REAL = Variant()
NAIVE = {
    "only the name of the holder": Variant(NameOnly),
    "no echo": Variant(NoEcho),
    "the clock of the sender": Variant(SendersClock, stamped=True),
}
