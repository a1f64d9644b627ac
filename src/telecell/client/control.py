"""What a program may command: its grants, from asking for them to giving them back or losing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from telecell.client.countdown import Countdown
from telecell.client.transport import Transport
from telecell.errors import NotHolder, RequestLate, ServerError
from telecell.messages import Grant, GrantState, Request
from telecell.messages.events import GrantChanged
from telecell.messages.granting import Acquire, HandOver, MergeGrants, ReleaseGrant, SplitGrant, TakeBack
from telecell.messages.replies import Granted, GrantEntry

ASK_AGAIN_S = 0.1
"""Whoever waits keeps the place in the queue by asking so often."""

REGROUPED = ("acquired", "split", "merged")
"""The changes of a grant that take nothing from its holder."""


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
        holder: under which name the program holds its grants; None if it has none.
    """

    def __init__(self, session: Conversation):
        self.holder: str | None = None
        self._session = session
        self._held: dict[GrantEntry, bool] = {}
        self._lost: dict[str, str] = {}

    @property
    def grants(self) -> tuple[GrantEntry, ...]:
        """What the program holds."""
        return tuple(self._held)

    # Having it

    @contextmanager
    def block(
        self, holder: str, robots: Sequence[str], *, wait_s: float, attended: bool, priority: int
    ) -> Iterator[None]:
        """Have control as long as the block lasts; it is left when every robot stands."""
        self.take(holder, robots, wait_s=wait_s, attended=attended, priority=priority)
        try:
            yield
        except BaseException:
            with suppress(ServerError):  # a cell that is gone must not hide what has happened before
                self.release()
            raise
        self.release()

    def take(self, holder: str, robots: Sequence[str], *, wait_s: float, attended: bool, priority: int) -> None:
        """Ask for axes until they are given, or the patience is over.

        Raises:
            NotHolder: they were not given, and why.
        """
        transport = self._session.transport
        source = "attended" if attended and transport.source == "program" else transport.source
        asked = {"holder": holder, "axes": tuple(robots), "source": source, "priority": priority, "wait": wait_s > 0.0}
        countdown = Countdown(transport, wait_s)
        while True:
            try:
                reply = self._session.ask(Acquire, **asked)
            except RequestLate as error:  # a machine that stood still for a moment does not end the wait
                if countdown.left_s <= 0.0:
                    raise
                reason = str(error)
            else:
                if isinstance(reply, Granted):
                    self.keep(reply, attended=attended)
                    return
                reason = reply.reason
            if countdown.left_s <= 0.0:
                raise NotHolder(f"control was not given in {wait_s:g} s: {reason}", remedy="Go on waiting.")
            self._session.run(ASK_AGAIN_S)

    def keep(self, granted: Granted, *, attended: bool = False) -> None:
        """Hold what was given; for those who ask without waiting, too."""
        self.holder = granted.grants[0].holder
        for entry in granted.grants:
            for axis in entry.axes:
                self._lost.pop(axis, None)
        self._hold(self._held | dict.fromkeys(granted.grants, attended))

    def choose(self, robot: str | None) -> Grant | None:
        """The grant to command a robot with, or the cell.

        Raises:
            NotHolder: the program had control, and has lost it.
        """
        axes = self._session.robots.get(robot, ()) if robot is not None else ()
        lost = [self._lost[axis] for axis in axes or self._lost if axis in self._lost]
        if lost and (axes or not self._held):
            raise NotHolder(f"control was lost: {lost[0]}", remedy="Ask for it again.")
        covering = [entry.grant for entry in self._held if set(axes) <= set(entry.axes)]
        return next(iter([*covering, *(entry.grant for entry in self._held)]), None)

    def split(self, parts: Sequence[Sequence[str]]) -> tuple[GrantEntry, ...]:
        """Make several grants of the one that has their axes."""
        names = {name for part in parts for name in part}
        axes = {axis for name in names for axis in self._session.robots.get(name, (name,))}
        whole = next((entry for entry in self._held if axes <= set(entry.axes)), None)
        grant = whole.grant if whole else self.choose(None)
        granted = self._session.ask(SplitGrant, grant=grant, parts=tuple(tuple(part) for part in parts))
        self._replace([whole] if whole else [], granted)
        return granted.grants

    def merge(self) -> None:
        """Make one grant of all."""
        if len(self._held) > 1:
            first, *others = self._held
            grants = tuple(entry.grant for entry in others)
            self._replace([first, *others], self._session.ask(MergeGrants, grant=first.grant, others=grants))

    def _replace(self, old: Sequence[GrantEntry], granted: Granted) -> None:
        attended = any(self._held.pop(entry, False) for entry in old)
        self.keep(granted, attended=attended)

    # Giving it back

    def release(self) -> None:
        """Give back everything, if there is something: motion ends on its path, and the robots stand."""
        held = self.grants
        self._lost.clear()
        self._hold({})
        if not held or self._session.closed:
            return
        for entry in held:
            with suppress(NotHolder):  # lost meanwhile: it is given back already
                self._session.ask(ReleaseGrant, grant=entry.grant)
        self._session.wait_until_still()

    def hand_over(self, to: str) -> None:
        """Stop, and let somebody who waits have everything."""
        if not self._held:
            self._session.ask(HandOver, grant=self.choose(None), to=to)
        for entry in self.grants:
            self._session.ask(HandOver, grant=entry.grant, to=to)
            self._lose([entry], f"handed over to {to}")

    def take_back(self, author: str, reason: str, robots: Sequence[str]) -> None:
        """Take axes from whoever holds them."""
        self._session.ask(TakeBack, author=author, reason=reason, axes=tuple(robots))

    # Losing it

    def note(self, event: GrantChanged) -> None:
        """A grant has changed; it may be one of this program."""
        if event.change not in REGROUPED:
            self._lose([entry for entry in self._held if entry.grant.tenure == event.tenure], event.reason)

    def compare(self, grants: Iterable[GrantState]) -> None:
        """Find out what was lost without being told."""
        tenures = {grant.tenure for grant in grants}
        self._lose([entry for entry in self._held if entry.grant.tenure not in tenures], "the cell has it no more")

    def lose(self, reason: str) -> None:
        """Everything is lost."""
        self._lose(self.grants, reason)

    def _lose(self, entries: Sequence[GrantEntry], reason: str) -> None:
        for entry in entries:
            self._lost |= dict.fromkeys(entry.axes, reason)
        if entries:
            self._hold({entry: attended for entry, attended in self._held.items() if entry not in entries})

    def _hold(self, held: Mapping[GrantEntry, bool]) -> None:
        self._held = dict(held)
        if not held:
            self.holder = None
        self._session.transport.hold({entry.grant: attended for entry, attended in held.items()})
