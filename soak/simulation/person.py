"""Somebody's process: knows only what has arrived, numbers what it sends, and renews its grant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from soak.simulation.cell import PERIOD_S
from telecell.messages import AnyReply, CellState, Command, Grant, Refused, Request
from telecell.messages.granting import Acquire, RenewGrant, Source
from telecell.messages.replies import Granted

RENEWAL_S = 0.1
"""Between renewals, by the own clock."""

_REPLY = msgspec.json.Decoder(AnyReply)
_STATE = msgspec.json.Decoder(CellState)


class Packet(NamedTuple):
    """Something on its way from the cell: a state for everybody, or a reply.

    Attributes:
        to: the sender whom the reply is for; None for a state.
    """

    to: str | None
    payload: bytes


class Person:
    """One process, from its start to its crash.

    Args:
        name: under which it holds grants; the next process of the same person has it, too.
        sender: of this process alone.
        source: its class.
        stamped: commands carry the own clock in place of the tick that was seen.

    Attributes:
        now_s: the own clock.
        view: the newest state that has arrived.
        grant: what it believes to hold.
        replies: not yet read, by sequence number.
        outbox: made, and not sent yet.
    """

    def __init__(self, name: str, sender: str, source: Source, *, stamped: bool = False):
        self.name, self.sender, self.source = name, sender, source
        self.now_s = 0.0
        self.view: CellState | None = None
        self.grant: Grant | None = None
        self.replies: dict[int, AnyReply] = {}
        self.outbox: list[Request] = []
        self._stamped = stamped
        self._set_at_s = 0.0
        self._first_tick = 0
        self._sequence = 0
        self._listed = False
        self._renewed_s = 0.0
        self._old_epochs: set[str] = set()

    # What arrives

    def receive(self, packets: Iterable[Packet]) -> None:
        """Read what has arrived, in the order of its arrival."""
        for packet in packets:
            if packet.to is None:
                self._look(_STATE.decode(packet.payload))
            elif packet.to == self.sender:
                self._take_reply(_REPLY.decode(packet.payload))

    def _take_reply(self, reply: AnyReply) -> None:
        self.replies[reply.sequence] = reply
        if isinstance(reply, Granted):
            self.grant, self._listed = reply.grants[0].grant, False
        elif isinstance(reply, Refused) and reply.error.kind == "NotHolder":
            self.grant = None

    def _look(self, state: CellState) -> None:
        """States may come late; those of a run of the cell that is over count no more."""
        if self.view is None or self.view.epoch != state.epoch:
            if state.epoch in self._old_epochs:
                return
            self._old_epochs |= {self.view.epoch} if self.view else set()
            self._set_at_s, self._first_tick = self.now_s, state.tick
        elif state.tick <= self.view.tick:
            return
        self.view = state
        if self.grant is not None:
            listed = self.grant.epoch == state.epoch and any(g.tenure == self.grant.tenure for g in state.grants)
            lost = (self._listed and not listed) or self.grant.epoch != state.epoch
            self._listed, self.grant = listed, None if lost else self.grant

    # What is sent

    def send(self, kind: type[Request], **fields: Any) -> Request:
        """Make a request on what is known now."""
        self._sequence += 1
        envelope: dict[str, Any] = {"sequence": self._sequence, "sender": self.sender}
        if issubclass(kind, Command):
            envelope["echo"] = self._read_echo()
            envelope["grant"] = None if kind is Acquire else self.grant
        request = kind(**envelope, **fields)
        self.outbox.append(request)
        return request

    def _read_echo(self) -> int:
        if self._stamped:
            return self._first_tick + round((self.now_s - self._set_at_s) / PERIOD_S)
        return self.view.tick if self.view else 0

    def renew(self, *, script_runs: bool) -> None:
        """What the client library does beside the script, as often as it has to.

        Args:
            script_runs: the script does not stand still. Only then does the library give a sign of life for a program
                that is watched over.
        """
        if self.grant is not None and not 0.0 <= self.now_s - self._renewed_s < RENEWAL_S:
            self._renewed_s = self.now_s
            self.send(RenewGrant, attending=script_runs or self.source == "program")

    def take_outbox(self) -> list[Request]:
        """What is ready to be sent."""
        made, self.outbox = self.outbox, []
        return made
