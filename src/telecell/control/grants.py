"""Who may command which axes: grants, numbered and leased, and the queue of those who wait for one.

The rules are the table `CHANGES`; whoever ends a grant reads from it what becomes of the motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.control.profiles import Profile
from telecell.control.round_trips import RoundTrips
from telecell.control.sources import SOURCES, SourceRow
from telecell.control.ticks import Ticks
from telecell.errors import InputError, NotHolder, QueueFull, RequestLate, RequestOutOfOrder
from telecell.messages import Command, SetPoint
from telecell.messages.granting import Acquire, Source

Mask = NDArray[np.bool_]

MAX_NAME = 64
MAX_WAITING = 32
ROUNDING_S = 1e-9


class ChangeRow(msgspec.Struct, frozen=True):
    """One way in which the right to command changes.

    Attributes:
        title: in words.
        by: who brings it about.
        motion: what becomes of motion: it goes on, it is halted, or it is stopped and waits for a reset.
        next: who may have the axes.
    """

    title: str
    by: str
    motion: Literal["goes on", "halt", "stop"]
    next: str


CHANGES: dict[str, ChangeRow] = {
    "acquired": ChangeRow("given", "somebody asks, and the axes are free and at rest", "goes on", "the holder"),
    "queued": ChangeRow("waited for", "somebody asks, and the axes are not free", "goes on", "the holder"),
    "left": ChangeRow("not waited for any more", "somebody who waits does not ask again", "goes on", "the holder"),
    "split": ChangeRow("split", "the holder", "goes on", "the holder, with one grant for each part"),
    "merged": ChangeRow("merged", "the holder", "goes on", "the holder, with one grant for all"),
    "released": ChangeRow("given back", "the holder", "halt", "the first who waits"),
    "handed_over": ChangeRow("handed over", "the holder", "stop", "whom the holder has named"),
    "taken_back": ChangeRow("taken back", "a supervisor", "stop", "the supervisor"),
    "expired": ChangeRow("lost, lease", "the holder's process renews it no more", "stop", "the first who waits"),
    "idle": ChangeRow("lost, idle limit", "the holder commands nothing", "stop", "the first who waits"),
    "overdue": ChangeRow("lost, control limit", "the holder has had it long enough", "stop", "the first who waits"),
}


@dataclass(slots=True, eq=False)
class Held:
    """A grant that somebody holds.

    Attributes:
        tenure: its number.
        mask: the axes.
        given_s: since when.
        renewed_s: when the holder's process last gave a sign of life.
        heard_s: when the last sign of life came that motion needs.
        acted_s: when the holder last commanded something.
        newest: highest sequence number on each channel.
        trips: how far away the holder is.
    """

    tenure: int
    holder: str
    sender: str
    source: Source
    priority: int
    mask: Mask
    given_s: float
    renewed_s: float
    heard_s: float
    acted_s: float
    trips: RoundTrips
    newest: dict[str, int] = field(default_factory=dict)

    @property
    def rules(self) -> SourceRow:
        """The row of its source."""
        return SOURCES[self.source]

    def hear(self, now_s: float) -> None:
        """Its holder lives."""
        self.renewed_s = self.heard_s = now_s


@dataclass(slots=True, eq=False)
class Waiter:
    """Somebody who waits.

    Attributes:
        since_s: when it first asked.
        heard_s: when it last asked.
        reserved: it comes before everybody else: by a hand-over, or as a supervisor.
    """

    holder: str
    sender: str
    priority: int
    mask: Mask
    since_s: float
    heard_s: float
    reserved: bool = False


class Ending(NamedTuple):
    """A grant that is lost, by which row of `CHANGES`, and the reason in words."""

    held: Held
    change: str
    reason: str


class Grants:
    """Keeps the grants, and judges every command by them.

    Args:
        epoch: tells this run of the cell from every other, so that no grant of an earlier run is honoured.
        profile: the rules as numbers.

    Attributes:
        held: by tenure.
        waiting: whoever waits.
    """

    def __init__(self, epoch: str, profile: Profile):
        self.epoch = epoch
        self.profile = profile
        self.held: dict[int, Held] = {}
        self.waiting: list[Waiter] = []
        self._tenure = 0

    # Looking up

    def find_overlapping(self, mask: Mask) -> list[Held]:
        """The grants that have an axis of these."""
        return [held for held in self.held.values() if (held.mask & mask).any()]

    def find_covering(self, mask: Mask) -> Held | None:
        """The grant that has all of these axes."""
        return next((held for held in self.held.values() if not (mask & ~held.mask).any()), None)

    def get(self, request: Command) -> Held:
        """The grant that a command carries.

        Raises:
            NotHolder: it is not a current one.
        """
        grant = request.grant
        if grant is not None and grant.epoch == self.epoch and grant.tenure in self.held:
            return self.held[grant.tenure]
        holders = ", ".join(sorted({held.holder for held in self.held.values()}))
        raise NotHolder(
            "the command carries no valid grant" if grant else "the command carries no grant",
            where=f"{holders} has control" if holders else "nobody has control",
            remedy="Take control first.",
        )

    # Commands

    def admit(self, request: Command, ticks: Ticks) -> Held:
        """Let a command in: its grant is a current one, it is in order, and it is fresh.

        Raises:
            NotHolder, RequestOutOfOrder, RequestLate: with the reason; the command counts nothing.
        """
        held = self.get(request)
        newest = held.newest.get(request.channel, -1)
        if request.sequence <= newest:
            raise RequestOutOfOrder(
                "a later command has been here before this one",
                value=request.sequence,
                limit=f"above {newest}",
                remedy="Number the commands of a grant upwards on each channel, and send each once.",
            )
        self.validate_age(request, ticks, held)
        held.newest[request.channel] = request.sequence
        return held

    def validate_age(self, request: Command, ticks: Ticks, held: Held | None = None) -> float:
        """How long ago the sender saw what it saw, s.

        Raises:
            RequestLate: too long ago, or it does not say.
        """
        if request.echo is None:
            raise RequestLate("the command does not say which tick its sender has seen", remedy="Send the echo along.")
        age_s = ticks.compute_age_s(request.echo)
        bound = self._compute_bound_s(request, held)
        if request.ttl_s is not None:
            bound = min(request.ttl_s, bound)  # in this order `min` keeps NaN, which no age is below
        if not 0.0 <= age_s <= bound:  # also false for NaN
            raise RequestLate(
                "the command was made for another moment",
                value=f"{age_s:.3f} s old",
                limit=f"{bound:.3f} s",
                remedy="Look where the robot is now, and ask again.",
            )
        return age_s

    def _compute_bound_s(self, request: Command, held: Held | None) -> float:
        profile = self.profile
        if not profile.follows_round_trip or isinstance(request, SetPoint):
            return profile.echo_bound_s
        known_s = profile.longest_round_trip_s if held is None else held.trips.shortest_s
        return min(known_s + profile.echo_bound_s, profile.longest_round_trip_s)

    def validate_near(self, held: Held, now_s: float) -> None:
        """Refuse motion of a holder who is too far away to begin it.

        Raises:
            RequestLate: with what was measured.
        """
        longest_s, lost = held.trips.measure(now_s)
        if longest_s > self.profile.longest_round_trip_s or lost > self.profile.greatest_loss:
            raise RequestLate(
                "the way to the holder is too long or too bad to begin a motion",
                where=f"holder {held.holder}",
                value=f"round trip {longest_s:.3f} s, {lost:.0%} lost during the last second",
                limit=f"{self.profile.longest_round_trip_s} s, {self.profile.greatest_loss:.0%}",
                remedy="Watch until the link is better.",
            )

    # Giving

    def validate_name(self, name: str) -> str:
        """The name of a holder, without blanks around it.

        Raises:
            NotHolder: it is none.
        """
        name = name.strip()
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise NotHolder(
                "the holder needs a name", value=name, limit=f"1 to {MAX_NAME} characters that can be printed"
            )
        return name

    def give(self, request: Acquire, mask: Mask, now_s: float, age_s: float) -> Held:
        """A new grant; whoever asked waits no longer."""
        self.forget_waiter(request.sender, mask)
        return self._add(
            Held(
                tenure=0,
                holder=request.holder.strip(),
                sender=request.sender,
                source=request.source,
                priority=request.priority,
                mask=mask.copy(),
                given_s=now_s,
                renewed_s=now_s,
                heard_s=now_s,
                acted_s=now_s,
                trips=RoundTrips(now_s, age_s),
            )
        )

    def _add(self, held: Held) -> Held:
        self._tenure += 1
        held.tenure = self._tenure
        self.held[held.tenure] = held
        return held

    def regroup(self, old: list[Held], masks: list[Mask]) -> list[Held]:
        """Put grants of one holder in the place of others of his: none of the old numbers counts any more."""
        first = old[0]
        for held in old:
            del self.held[held.tenure]
        latest = max(old, key=lambda held: held.heard_s)
        return [
            self._add(
                Held(
                    tenure=0,
                    holder=first.holder,
                    sender=first.sender,
                    source=first.source,
                    priority=first.priority,
                    mask=mask,
                    given_s=min(held.given_s for held in old),
                    renewed_s=latest.renewed_s,
                    heard_s=latest.heard_s,
                    acted_s=latest.acted_s,
                    trips=RoundTrips(latest.heard_s, latest.trips.shortest_s),
                )
            )
            for mask in masks
        ]

    def end(self, held: Held) -> None:
        """Nobody has that grant any more."""
        del self.held[held.tenure]

    # Waiting

    def list_waiting(self) -> list[Waiter]:
        """Whoever waits, first the next."""
        return sorted(self.waiting, key=lambda waiter: (not waiter.reserved, -waiter.priority, waiter.since_s))

    def find_before(self, sender: str, priority: int, mask: Mask) -> Waiter | None:
        """Somebody who comes before a sender, for one of these axes."""
        own = next((waiter for waiter in self.waiting if waiter.sender == sender and (waiter.mask & mask).any()), None)
        for waiter in self.list_waiting():
            if waiter is own:
                return None
            if waiter.sender != sender and (waiter.mask & mask).any() and (own or waiter.priority >= priority):
                return waiter
        return None

    def wait(self, request: Acquire, mask: Mask, now_s: float) -> tuple[Waiter, bool]:
        """Keep a place in the queue; whether it is a new one.

        Raises:
            QueueFull: too many wait.
        """
        for waiter in self.waiting:
            if waiter.sender == request.sender and (waiter.mask == mask).all():
                waiter.heard_s = now_s
                return waiter, False
        if len(self.waiting) >= MAX_WAITING:
            raise QueueFull("too many wait for control", value=len(self.waiting), limit=MAX_WAITING)
        return self._join(request.holder.strip(), request.sender, request.priority, mask, now_s), True

    def reserve(self, holder: str, sender: str, mask: Mask, now_s: float) -> None:
        """Let somebody come before everybody else."""
        for waiter in self.waiting:
            waiter.reserved = False if (waiter.mask & mask).any() else waiter.reserved
        known = next((w for w in self.waiting if w.sender == sender and (w.mask & mask).any()), None)
        waiter = known or self._join(holder, sender, 0, mask, now_s)
        waiter.reserved, waiter.heard_s = True, now_s

    def _join(self, holder: str, sender: str, priority: int, mask: Mask, now_s: float) -> Waiter:
        self.waiting.append(Waiter(holder, sender, priority, mask.copy(), now_s, now_s))
        return self.waiting[-1]

    def forget_waiter(self, sender: str, mask: Mask) -> None:
        """Somebody waits no longer for any of these axes."""
        self.waiting = [w for w in self.waiting if w.sender != sender or not (w.mask & mask).any()]

    def take_absent(self, now_s: float) -> list[Waiter]:
        """Those who did not go on asking; they have lost their place."""
        absent = [w for w in self.waiting if now_s - w.heard_s > self.profile.lease_s + ROUNDING_S]
        self.waiting = [waiter for waiter in self.waiting if waiter not in absent]
        return absent

    # Losing

    def find_lost(self, now_s: float) -> Iterator[Ending]:
        """The grants that are lost now, and why."""
        profile = self.profile
        for held in list(self.held.values()):
            clocks = (
                ("expired", held.renewed_s, profile.lease_s if held.rules.leased else None, "no renewal"),
                ("idle", held.acted_s, profile.idle_limit_s, "no command"),
                ("overdue", held.given_s, profile.control_limit_s, "held"),
            )
            for change, since_s, limit_s, what in clocks:
                if limit_s is not None and now_s - since_s > limit_s + ROUNDING_S:
                    yield Ending(held, change, f"{what} for {now_s - since_s:.3f} s, limit {limit_s:g} s")
                    break

    def resume(self, now_s: float) -> None:
        """Go on as if everybody had just given a sign of life: the clock was set."""
        for held in self.held.values():
            held.given_s = held.renewed_s = held.heard_s = held.acted_s = now_s
        for waiter in self.waiting:
            waiter.heard_s = now_s


def validate_parts(whole: Mask, parts: list[Mask]) -> None:
    """Refuse parts that overlap, are empty, or are not the whole together.

    Raises:
        InputError: what is wrong with them.
    """
    together = np.sum(parts, axis=0) if parts else np.zeros_like(whole)
    if len(parts) < 2 or any(not part.any() for part in parts) or (together != whole).any():
        raise InputError(
            "the parts are not the axes of the grant, each once",
            value=[int(part.sum()) for part in parts],
            limit=f"two parts or more, {int(whole.sum())} axes together",
        )
