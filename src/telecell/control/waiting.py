"""Those who wait for axes, in the order in which they come to their turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telecell.errors import QueueFull
from telecell.messages.granting import Acquire

Mask = NDArray[np.bool_]

MAX_WAITING = 32


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


class WaitingList:
    """Everybody who waits, at most `MAX_WAITING`; iterating gives the next one first."""

    def __init__(self) -> None:
        self._waiters: list[Waiter] = []

    def __len__(self) -> int:
        return len(self._waiters)

    def __iter__(self) -> Iterator[Waiter]:
        return iter(sorted(self._waiters, key=lambda waiter: (not waiter.reserved, -waiter.priority, waiter.since_s)))

    def list_for(self, mask: Mask) -> list[Waiter]:
        """Those who wait for one of these axes, the next one first."""
        return [waiter for waiter in self if (waiter.mask & mask).any()]

    def get_place(self, waiter: Waiter) -> int:
        """1 if nobody comes before, for one of the axes that the waiter wants."""
        return self.list_for(waiter.mask).index(waiter) + 1

    def find_before(self, sender: str, priority: int, mask: Mask) -> Waiter | None:
        """Somebody else who comes before a sender, for one of these axes."""
        own = self._find(sender, mask)
        for waiter in self.list_for(mask):
            if waiter is own:
                return None
            ahead = own is not None or waiter.reserved or waiter.priority >= priority
            if ahead and waiter.sender != sender:
                return waiter
        return None

    def _find(self, sender: str, mask: Mask) -> Waiter | None:
        """The place of a sender that is good for all of these axes."""
        return next((w for w in self if w.sender == sender and not (mask & ~w.mask).any()), None)

    def keep(self, request: Acquire, mask: Mask, now_s: float) -> tuple[Waiter, bool]:
        """Keep the place of whoever asks again, or give a new one; whether it is new.

        Raises:
            QueueFull: too many wait.
        """
        for waiter in self._waiters:
            if waiter.sender == request.sender and (waiter.mask == mask).all():
                waiter.heard_s = now_s
                return waiter, False
        if len(self) >= MAX_WAITING:
            raise QueueFull(
                "too many wait for control", value=len(self), limit=MAX_WAITING, remedy="Ask again when some have left."
            )
        return self._join(Waiter(request.holder, request.sender, request.priority, mask.copy(), now_s, now_s)), True

    def _join(self, waiter: Waiter) -> Waiter:
        self._waiters.append(waiter)
        return waiter

    def reserve(self, chosen: Waiter) -> None:
        """Let somebody come before everybody else."""
        for waiter in self.list_for(chosen.mask):
            waiter.reserved = False
        chosen.reserved = True

    def put_first(self, holder: str, sender: str, mask: Mask, now_s: float) -> Waiter | None:
        """Let somebody come first who did not have to wait; returns the last one if there was no room for both."""
        chosen, displaced = self._find(sender, mask), None
        if chosen is None:
            if len(self) >= MAX_WAITING:
                displaced = list(self)[-1]
                self._waiters.remove(displaced)
            chosen = self._join(Waiter(holder, sender, 0, mask.copy(), now_s, now_s))
        chosen.heard_s = now_s
        self.reserve(chosen)
        return displaced

    def forget(self, sender: str, mask: Mask) -> None:
        """Somebody waits no longer for any of these axes."""
        self._waiters = [w for w in self._waiters if w.sender != sender or not (w.mask & mask).any()]

    def take_absent(self, since_s: float) -> list[Waiter]:
        """Those who have not asked since a moment; they have lost their places."""
        absent = [waiter for waiter in self if waiter.heard_s < since_s]
        self._waiters = [waiter for waiter in self._waiters if waiter not in absent]
        return absent

    def resume(self, now_s: float) -> None:
        """Go on as if everybody had just asked: the clock was set."""
        for waiter in self._waiters:
            waiter.since_s = waiter.heard_s = now_s
