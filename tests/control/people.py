"""Several people at one cell, each with a sender, numbers and a grant of their own."""

from __future__ import annotations

from collections import Counter
from typing import Any

from soak.operator import Operator
from telecell.messages import AnyReply, AnyRequest, Command, Grant, Query, granting, replies
from telecell.messages.granting import Source


class Person:
    """Somebody at the cell of an operator.

    Attributes:
        grant: the first of what was given last; kept when it is lost, as by somebody who did not notice.
        delay: how many ticks old is what this person sees.
    """

    def __init__(self, operator: Operator, name: str, source: Source = "program"):
        self.operator, self.name, self.source = operator, name, source
        self.grant: Grant | None = None
        self.delay = 0
        self._numbers: Counter[str] = Counter()

    def build(self, kind: type, **fields: Any) -> AnyRequest:
        """A request with the next number of its channel and, if it is a command, grant and echo."""
        channel = getattr(kind, "channel", "commands")
        self._numbers[channel] += 1
        if issubclass(kind, Command):
            fields = {"grant": self.grant, "echo": self.operator.running.tick - self.delay, **fields}
        return kind(**{"sequence": self._numbers[channel], "sender": self.name, **fields})  # pyright: ignore[reportReturnType]

    def send(self, kind: type, **fields: Any) -> None:
        """Have it answered by the next step."""
        self.operator.submit(self.build(kind, **fields))

    def ask(self, kind: type, **fields: Any) -> Any:
        """The reply, one step later; a query is answered at once."""
        request = self.build(kind, **fields)
        if isinstance(request, Query):
            return self.operator.running.answer(request)
        self.operator.submit(request)
        *_, reply = self.operator.step()
        if isinstance(reply, replies.Granted):
            self.grant = reply.grants[0].grant
        return reply

    def acquire(self, *axes: str, **fields: Any) -> Any:
        """Ask for axes, all of them if none is named."""
        return self.ask(granting.Acquire, **{"holder": self.name, "axes": axes, "source": self.source, **fields})

    def renew(self, **fields: Any) -> Any:
        """A sign of life."""
        return self.ask(granting.RenewGrant, **fields)

    def stay(self, seconds: float, every_ticks: int = 10) -> None:
        """Let time pass, with signs of life."""
        for tick in range(round(seconds / self.operator.running.plant.period_s)):
            if tick % every_ticks == 0:
                self.send(granting.RenewGrant)
            self.operator.step()


def get_kind(reply: AnyReply) -> str:
    """The kind of a refusal, or the name of the reply."""
    return reply.error.kind if isinstance(reply, replies.Refused) else type(reply).__name__


def list_changes(operator: Operator) -> list[tuple[str, str]]:
    """Every change so far, and whose it was."""
    return [(entry.change, entry.holder) for entry in operator.running.controller.grant_history]


def list_holders(operator: Operator) -> list[str]:
    """Who has a grant, in the order in which they got it."""
    return [grant.holder for grant in operator.running.state().grants]
