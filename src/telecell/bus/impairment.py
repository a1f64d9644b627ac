"""A bad link, one direction of it, as a pure model: the same seed gives the same link."""

from __future__ import annotations

import heapq
import itertools
import math
import random
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from telecell.errors import InputError

DETOUR_S = 0.02
"""An item that loses its place takes up to this much longer, besides up to once more the delay of the link."""

Item = TypeVar("Item")


class Impairment(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with one direction of a link; by default nothing.

    Attributes:
        delay_s: how long everything takes.
        jitter_s: how much longer it may take, evenly spread. The order is kept.
        loss: share of the items that are lost.
        duplication: share of the items that arrive twice.
        reordering: share of the items that take a detour, and for which those behind do not wait.
        bandwidth_bytes_s: what the link can carry; None for any amount.
        outages: (from_s, until_s); what is sent or would arrive in one is lost.
    """

    delay_s: float = 0.0
    jitter_s: float = 0.0
    loss: float = 0.0
    duplication: float = 0.0
    reordering: float = 0.0
    bandwidth_bytes_s: float | None = None
    outages: tuple[tuple[float, float], ...] = ()

    def __post_init__(self):
        for name in ("delay_s", "jitter_s"):
            _validate(name, getattr(self, name), 0.0 <= getattr(self, name) < math.inf, "0 or more seconds")
        for name in ("loss", "duplication", "reordering"):
            _validate(name, getattr(self, name), 0.0 <= getattr(self, name) <= 1.0, "0 to 1")
        rate = self.bandwidth_bytes_s
        _validate("bandwidth_bytes_s", rate, rate is None or 0.0 < rate < math.inf, "more than 0 bytes per second")
        for outage in self.outages:
            _validate("outages", outage, outage[0] < outage[1], "pairs of a beginning and a later end")

    def is_out(self, now_s: float) -> bool:
        """Whether the link is dead at a moment."""
        return any(from_s <= now_s < until_s for from_s, until_s in self.outages)


@dataclass(slots=True)
class ChannelCounts:
    """What became of the items: put + duplicated = delivered + lost + those under way."""

    put: int = 0
    duplicated: int = 0
    delivered: int = 0
    lost: int = 0


class Channel(Generic[Item]):
    """One direction of a bad link. It knows no clock: time is what it is told, and never runs back.

    Args:
        impairment: what is wrong with it; may be changed under way, for what is put from then on.
        seed: of its random numbers.
        capacity: how many items can be under way; what exceeds it is lost.
    """

    def __init__(self, impairment: Impairment, seed: int | str = 0, capacity: int = 4096):
        self.impairment = impairment
        self.cut = False
        self.counts = ChannelCounts()
        self._random = random.Random(seed)
        self._capacity = capacity
        self._under_way: list[tuple[float, int, Item]] = []
        self._numbers = itertools.count()
        self._free_s = -math.inf
        self._last_due_s = -math.inf

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def is_full(self) -> bool:
        """Whether the next item would be lost for want of room."""
        return len(self) >= self._capacity

    @property
    def next_due_s(self) -> float | None:
        """When the next item arrives; None if none is under way."""
        return self._under_way[0][0] if self._under_way else None

    def put(self, now_s: float, item: Item, size: int) -> None:
        """Send an item of so many bytes."""
        self.counts.put += 1
        if self._is_dead(now_s) or self._happens(self.impairment.loss):
            self.counts.lost += 1
            return
        sent_s = self._carry(now_s, size)
        self._schedule(sent_s, item)
        if self._happens(self.impairment.duplication):
            self.counts.duplicated += 1
            self._schedule(sent_s, item)

    def take_due(self, now_s: float) -> list[Item]:
        """The items that have arrived by now, in the order of their arrival."""
        items = []
        while self._under_way and self._under_way[0][0] <= now_s:
            due_s, _, item = heapq.heappop(self._under_way)
            if self._is_dead(due_s):
                self.counts.lost += 1
            else:
                items.append(item)
        self.counts.delivered += len(items)
        return items

    def _is_dead(self, now_s: float) -> bool:
        return self.cut or self.impairment.is_out(now_s)

    def _happens(self, share: float) -> bool:
        return self._random.random() < share

    def _carry(self, now_s: float, size: int) -> float:
        """When the last byte of an item has left; those before it come first."""
        rate = self.impairment.bandwidth_bytes_s
        self._free_s = max(now_s, self._free_s) + (size / rate if rate is not None else 0.0)
        return self._free_s

    def _schedule(self, sent_s: float, item: Item) -> None:
        if self.is_full:
            self.counts.lost += 1
            return
        bad = self.impairment
        due_s = sent_s + bad.delay_s + bad.jitter_s * self._random.random()
        if self._happens(bad.reordering):
            due_s += (bad.delay_s + bad.jitter_s + DETOUR_S) * self._random.random()
        else:
            due_s = self._last_due_s = max(due_s, self._last_due_s)
        heapq.heappush(self._under_way, (due_s, next(self._numbers), item))


def _validate(name: str, value: object, is_good: bool, limit: str) -> None:
    if not is_good:
        raise InputError(f"{name} of a link is out of range", value=value, limit=limit)
