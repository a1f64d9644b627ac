"""What is known afterwards: what passed to the plant, what reached the cell, and the cell's own audit trail."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from telecell.contract import Command, Measurement
from telecell.messages import AnyEvent, AnyReply, AnyRequest, Refused
from telecell.plant import FakePlant


class Letter(NamedTuple):
    """A request on its way, with what only the world knows about it.

    Attributes:
        payload: the bytes.
        made_s: when its sender made it, in true time; it may have left later.
    """

    payload: bytes
    made_s: float


class Delivery(NamedTuple):
    """A letter that reached the cell, and the answer."""

    request: AnyRequest
    made_s: float
    reply: AnyReply

    @property
    def accepted(self) -> bool:
        """Whether the cell says that it has carried the request out."""
        return not isinstance(self.reply, Refused)


class Tick(NamedTuple):
    """One control period.

    Attributes:
        now_s: true time.
        epoch: of the run of the cell.
        q_desired: the set-point that the plant was given.
        powered: whether its drive was commanded on.
        deliveries: in the order in which the cell saw them.
        events: in their order.
    """

    now_s: float
    epoch: str
    q_desired: float
    powered: bool
    deliveries: list[Delivery]
    events: tuple[AnyEvent, ...]


@dataclass(slots=True)
class Record:
    """One simulated run."""

    period_s: float
    ticks: list[Tick] = field(default_factory=list)


class RecordingPlant(FakePlant):
    """A fake plant that keeps what it was last told.

    Attributes:
        told: the newest command.
    """

    told: Command

    def step(self, command: Command) -> Measurement:
        """As the fake plant."""
        self.told = command
        return super().step(command)
