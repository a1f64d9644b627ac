"""What a program may command: its grants, from asking for them to giving them back or losing them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from telecell.client.transport import Transport
from telecell.errors import NotHolder
from telecell.messages import Grant, Request
from telecell.messages.events import GrantChanged
from telecell.messages.granting import Acquire, HandOver, MergeGrants, ReleaseGrant, SplitGrant, TakeBack
from telecell.messages.replies import Granted, GrantEntry

ASK_AGAIN_S = 0.1
"""Whoever waits keeps the place in the queue by asking so often."""


class Conversation(Protocol):
    """What control needs of the conversation with a cell."""

    transport: Transport
    robots: dict[str, tuple[str, ...]]

    @property
    def closed(self) -> bool:
        """Whether the way to the cell was given up."""
        ...

    def ask(self, kind: type[Request], **fields: Any) -> Any:
        """Send a request and wait for its reply; a refusal is raised."""
        ...

    def run(self, seconds: float) -> None:
        """Let so much of the cell's time pass."""
        ...

    def wait_until_still(self) -> None:
        """Let time pass until every robot stands."""
        ...


class Control:
    """The grants of one program, renewed by its transport as long as it has them.

    Args:
        session: the conversation with the cell.

    Attributes:
        grants: what the program holds.
        holder: under which name it holds them.
    """

    def __init__(self, session: Conversation):
        self._session = session
        self.grants: tuple[GrantEntry, ...] = ()
        self.holder: str | None = None
        self._attended = False
        self._lost: str | None = None

    @contextmanager
    def block(
        self, holder: str, robots: Sequence[str], *, wait_s: float, attended: bool, priority: int
    ) -> Iterator[None]:
        """Have control as long as the block lasts; it is left when every robot stands."""
        self.take(holder, robots, wait_s=wait_s, attended=attended, priority=priority)
        try:
            yield
        finally:
            self.release()

    def take(self, holder: str, robots: Sequence[str], *, wait_s: float, attended: bool, priority: int) -> None:
        """Ask for axes until they are given, or the patience is over.

        Raises:
            NotHolder: they were not given, and why.
        """
        deadline_s = self._session.transport.time_s + wait_s
        while True:
            reply = self._session.ask(
                Acquire,
                holder=holder,
                axes=tuple(robots),
                source="attended" if attended else self._session.transport.source,
                priority=priority,
                wait=wait_s > 0.0,
            )
            if isinstance(reply, Granted):
                self._attended, self.holder, self._lost = attended, holder, None
                self._keep((*self.grants, *reply.grants))
                return
            if self._session.transport.time_s >= deadline_s:
                raise NotHolder(f"control was not given in {wait_s:g} s: {reply.reason}", remedy="Go on waiting.")
            self._session.run(ASK_AGAIN_S)

    def choose(self, robot: str | None) -> Grant | None:
        """The grant to command a robot with, or the cell.

        Raises:
            NotHolder: the program had control, and has lost it.
        """
        if not self.grants:
            if self._lost is not None:
                raise NotHolder(f"control was lost: {self._lost}", remedy="Ask for it again.")
            return None
        axes = set(self._session.robots.get(robot, ())) if robot is not None else set()
        return next((entry.grant for entry in self.grants if axes <= set(entry.axes)), self.grants[0].grant)

    def release(self) -> None:
        """Give back everything, if there is something: motion ends on its path, and the robots stand."""
        self._lost = None
        if not self.grants or self._session.closed:
            return
        try:
            for entry in self.grants:
                self._session.ask(ReleaseGrant, grant=entry.grant)
            self._session.wait_until_still()
        finally:
            self._keep(())

    def hand_over(self, to: str) -> None:
        """Stop, and let somebody who waits have everything."""
        for entry in self.grants:
            self._session.ask(HandOver, grant=entry.grant, to=to)
        self._keep(())

    def split(self, parts: Sequence[Sequence[str]]) -> tuple[GrantEntry, ...]:
        """Make several grants of the one."""
        granted = self._session.ask(SplitGrant, parts=tuple(tuple(part) for part in parts)).grants
        self._keep((*self.grants[1:], *granted))
        return granted

    def merge(self) -> None:
        """Make one grant of all."""
        if len(self.grants) > 1:
            others = tuple(entry.grant for entry in self.grants[1:])
            self._keep(self._session.ask(MergeGrants, grant=self.grants[0].grant, others=others).grants)

    def take_back(self, author: str, reason: str, robots: Sequence[str]) -> None:
        """Take axes from whoever holds them."""
        self._session.ask(TakeBack, author=author, reason=reason, axes=tuple(robots))

    def note(self, event: GrantChanged) -> None:
        """A grant has changed; it may be one of this program."""
        if event.change not in ("acquired", "split", "merged"):
            left = tuple(entry for entry in self.grants if entry.grant.tenure != event.tenure)
            if len(left) < len(self.grants):
                self._lost = event.reason
                self._keep(left)

    def lose(self, reason: str) -> None:
        """Everything is lost."""
        if self.grants:
            self._lost = reason
            self._keep(())

    def _keep(self, grants: tuple[GrantEntry, ...]) -> None:
        self.grants = grants
        if not grants:
            self.holder = None
        self._session.transport.hold([entry.grant for entry in grants], attended=self._attended)
