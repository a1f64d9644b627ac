"""Who may command: one holder at a time, and only with requests that are fresh and in order."""

from __future__ import annotations

import msgspec

from telecell.control.ticks import Ticks
from telecell.errors import NotHolder, RequestLate, RequestOutOfOrder
from telecell.messages import Command, Grant, SetPoint
from telecell.messages.settings import Source, TakeControl

ECHO_BOUND_S = 0.25
"""How old the newest tick that the sender has seen may be."""

SILENCE_S: dict[Source, float] = {"program": 0.1, "page": 0.3}
"""The dead-man time of a stream, by what sends it."""

MAX_NAME = 64


class HolderState(msgspec.Struct, frozen=True):
    """Plain values to go on from.

    Attributes:
        holder: who has the grant.
        source: what sends its streams.
        tenure: of the newest grant.
        commands: highest sequence number among the holder's commands.
        set_points: the same for its streams.
    """

    holder: str | None = None
    source: Source = "program"
    tenure: int = 0
    commands: int = -1
    set_points: int = -1


class Holder:
    """Keeps the grant, and judges every command by it.

    Args:
        epoch: tells this run of the cell from every other.
    """

    def __init__(self, epoch: str):
        self._epoch = epoch
        self.state = HolderState()

    @property
    def name(self) -> str | None:
        """Who holds the grant."""
        return self.state.holder

    @property
    def longest_silence_s(self) -> float:
        """After how long without a sign of life a stream of the holder is stopped."""
        return SILENCE_S[self.state.source]

    def take(self, request: TakeControl) -> Grant:
        """Give the grant to somebody.

        Raises:
            NotHolder: somebody else has it, or the name is none.
        """
        name = request.holder.strip()
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise NotHolder(
                "the holder needs a name", value=request.holder, limit=f"1 to {MAX_NAME} characters that can be printed"
            )
        if self.state.holder is not None:
            raise NotHolder(
                "somebody else has control",
                where=f"holder {self.state.holder}",
                value=name,
                remedy="Wait until it is given back.",
            )
        self.state = HolderState(name, request.source, self.state.tenure + 1)
        return Grant(self._epoch, self.state.tenure)

    def release(self) -> None:
        """Nobody has the grant any more."""
        self.state = HolderState(tenure=self.state.tenure)

    def admit(self, request: Command, ticks: Ticks) -> None:
        """Let a command in: its grant is the current one, it is in order, and it is fresh.

        Raises:
            NotHolder, RequestOutOfOrder, RequestLate: with the reason; the command counts nothing.
        """
        self._validate_grant(request)
        channel = "set_points" if isinstance(request, SetPoint) else "commands"
        newest = getattr(self.state, channel)
        if request.sequence <= newest:
            raise RequestOutOfOrder(
                "a later command has been here before this one",
                value=request.sequence,
                limit=f"above {newest}",
                remedy="Number the commands of a grant upwards, and send each once.",
            )
        self._validate_age(request, ticks)
        self.state = msgspec.structs.replace(self.state, **{channel: request.sequence})

    def _validate_grant(self, request: Command) -> None:
        if self.state.holder is not None and request.grant == Grant(self._epoch, self.state.tenure):
            return
        held = f"{self.state.holder} has control" if self.state.holder else "nobody has control"
        raise NotHolder(
            "the command carries no valid grant" if request.grant else "the command carries no grant",
            where=held,
            remedy="Take control first.",
        )

    def _validate_age(self, request: Command, ticks: Ticks) -> None:
        if request.echo is None:
            raise RequestLate("the command does not say which tick its sender has seen", remedy="Send the echo along.")
        age_s = ticks.compute_age_s(request.echo)
        # In this order `min` keeps NaN, which no age is below.
        bound = ECHO_BOUND_S if request.ttl_s is None else min(request.ttl_s, ECHO_BOUND_S)
        if not 0.0 <= age_s <= bound:  # also false for NaN
            raise RequestLate(
                "the command was made for another moment",
                value=f"{age_s:.3f} s old",
                limit=f"{bound:.3f} s",
                remedy="Look where the robot is now, and ask again.",
            )
