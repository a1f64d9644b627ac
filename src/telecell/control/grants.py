"""Who may command which axes: grants, numbered and leased, and the judgement of every command by them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telecell.control.profiles import Profile
from telecell.control.round_trips import RoundTrips
from telecell.control.sources import SOURCES, SourceRow
from telecell.control.ticks import ROUNDING_S, Ticks
from telecell.control.waiting import Waiter, WaitingList
from telecell.errors import InputError, NotHolder, RequestLate, RequestOutOfOrder
from telecell.messages import Command, Grant, SetPoint
from telecell.messages.granting import Acquire, Source

Mask = NDArray[np.bool_]

MAX_NAME = 64


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
        trips: how far away the holder is.
        newest: highest sequence number on each channel.
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

    def covers(self, mask: Mask) -> bool:
        """Whether all of these axes are under it."""
        return not (mask & ~self.mask).any()

    def note_command(self, now_s: float) -> None:
        """Its holder has commanded something, which is a sign of life as well."""
        self.renewed_s = self.heard_s = self.acted_s = now_s


class Ending(NamedTuple):
    """A grant that is lost, by which row of the table of changes, and the reason in words."""

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
        waiting: whoever waits for axes.
    """

    def __init__(self, epoch: str, profile: Profile):
        self.epoch = epoch
        self.profile = profile
        self.held: dict[int, Held] = {}
        self.waiting = WaitingList()
        self._tenure = 0

    # Looking up

    def find_overlapping(self, mask: Mask) -> list[Held]:
        """The grants that have an axis of these."""
        return [held for held in self.held.values() if (held.mask & mask).any()]

    def find_covering(self, mask: Mask) -> Held | None:
        """The grant that has all of these axes."""
        return next((held for held in self.held.values() if held.covers(mask)), None)

    def find(self, grant: Grant | None) -> Held | None:
        """The current grant of that number, if it is one."""
        return self.held.get(grant.tenure) if grant is not None and grant.epoch == self.epoch else None

    def get(self, request: Command) -> Held:
        """The grant that a command carries.

        Raises:
            NotHolder: it is not a current one, or not the sender's.
        """
        held = self.find(request.grant)
        if held is not None and held.sender == request.sender:
            return held
        holders = ", ".join(sorted({held.holder for held in self.held.values()}))
        raise NotHolder(
            "the command carries no valid grant" if request.grant else "the command carries no grant",
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
        if not 0.0 <= age_s <= bound + ROUNDING_S:  # also false for NaN
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
        if longest_s > self.profile.longest_round_trip_s + ROUNDING_S or lost > self.profile.greatest_loss:
            raise RequestLate(
                "the way to the holder is too long or too bad to begin a motion",
                where=f"holder {held.holder}",
                value=f"round trip {longest_s:.3f} s, {lost:.0%} lost during the last second",
                limit=f"{self.profile.longest_round_trip_s} s, {self.profile.greatest_loss:.0%}",
                remedy="Watch until the link is better.",
            )

    # Giving

    def give(self, request: Acquire, mask: Mask, now_s: float, age_s: float) -> Held:
        """A new grant; whoever asked waits no longer."""
        self.waiting.forget(request.sender, mask)
        return self._add(
            Held(
                tenure=0,
                holder=request.holder,
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

    def regroup(self, old: list[Held], masks: list[Mask], now_s: float) -> list[Held]:
        """Put new grants of a holder in the place of old ones, none of whose numbers counts any more."""
        first, given_s = old[0], min(held.given_s for held in old)
        for held in old:
            self.end(held)
        return [
            self._add(
                replace(
                    first,
                    mask=mask,
                    given_s=given_s,
                    renewed_s=now_s,
                    heard_s=now_s,
                    acted_s=now_s,
                    trips=RoundTrips(now_s, first.trips.shortest_s),
                    newest={},
                )
            )
            for mask in masks
        ]

    def end(self, held: Held) -> None:
        """Nobody has that grant any more."""
        del self.held[held.tenure]

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

    def take_absent(self, now_s: float) -> list[Waiter]:
        """Those who did not go on asking; they have lost their places."""
        return self.waiting.take_absent(now_s - self.profile.lease_s - ROUNDING_S)

    def resume(self, now_s: float) -> None:
        """Go on as if everybody had just given a sign of life: the clock was set."""
        for held in self.held.values():
            held.note_command(now_s)
            held.given_s = now_s
            held.trips = RoundTrips(now_s, held.trips.shortest_s)
        self.waiting.resume(now_s)


def validate_name(name: str) -> str:
    """The name of a holder, without blanks around it.

    Raises:
        NotHolder: it is none.
    """
    name = name.strip()
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise NotHolder(
            "the holder needs a name",
            value=name[:MAX_NAME],
            limit=f"1 to {MAX_NAME} characters that can be printed",
            remedy="Say who you are.",
        )
    return name


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
