"""Signs of life for the grants of a program."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from typing import Literal

from telecell.clock import Clock
from telecell.messages import Grant
from telecell.messages.granting import RenewGrant

RENEWAL_S = 0.1
FIRST_NUMBER = 1 << 40
NUMBERS_PER_GRANT = 1 << 22
"""Renewals are numbered beyond all requests: their replies come the same way, and are told apart by it."""

MOST_UNDER_WAY = 100

Renewing = Literal["thread", "calls", "by hand"]
"""Who renews: a thread of the library's own, the program's calls alone, or the program by requests of its own."""


class _Lease:
    """One grant that is renewed.

    Attributes:
        number: of the last renewal.
        sent_s: when that was sent.
        attending_s: when the last one was sent that motion counts on.
    """

    def __init__(self, grant: Grant, attended: bool):
        self.attended = attended
        self.number = FIRST_NUMBER + grant.tenure * NUMBERS_PER_GRANT
        self.sent_s = self.attending_s = -math.inf

    def number_next(self, attending: bool, now_s: float) -> int:
        """The number of a renewal that is sent now."""
        self.number += 1
        self.sent_s = now_s
        if attending:
            self.attending_s = now_s
        return self.number


class Renewals:
    """Renews grants every 100 ms, each with consecutive numbers, so that the cell sees what is lost.

    The thread keeps the leases. What motion needs comes from it, too, unless a grant is attended: then that comes
    only from inside the program's own calls, by `touch`.

    Args:
        send: sends one, without waiting; called by both.
        clock: says when the next one is due.
        renewing: who renews.
    """

    def __init__(self, send: Callable[[RenewGrant], None], clock: Clock, renewing: Renewing):
        self._send = send
        self._clock = clock
        self._renewing = renewing
        self._leases: dict[Grant, _Lease] = {}
        self._under_way: dict[int, float] = {}
        self._lock = threading.Lock()
        self._end = threading.Event()

    def start(self) -> None:
        """Start the thread, if there is to be one."""
        if self._renewing == "thread":
            threading.Thread(target=self._run, name="renewals", daemon=True).start()

    def close(self) -> None:
        """Renew nothing any more."""
        self._end.set()
        self.hold({})

    def hold(self, grants: Mapping[Grant, bool]) -> None:
        """Renew these grants from now on, and no others; True for those that are attended."""
        with self._lock:
            known = self._leases
            self._leases = {grant: known.get(grant) or _Lease(grant, attended) for grant, attended in grants.items()}

    def touch(self) -> None:
        """The program is here: renew what it has to renew itself, if that is due."""
        if self._renewing != "by hand":
            self._renew(self._maybe_attend)

    def maybe_measure(self, number: int) -> float | None:
        """How long a renewal and its reply were under way, s; None if the number is of none."""
        with self._lock:
            sent_s = self._under_way.pop(number, None)
        return None if sent_s is None else self._clock.now() - sent_s

    def _run(self) -> None:
        while not self._end.wait(RENEWAL_S / 2):
            self._renew(self._maybe_keep)

    def _maybe_attend(self, lease: _Lease, now_s: float) -> bool | None:
        """In a call of the program: what only its calls renew."""
        own = lease.attended or self._renewing == "calls"
        return True if own and now_s - lease.attending_s >= RENEWAL_S else None

    def _maybe_keep(self, lease: _Lease, now_s: float) -> bool | None:
        """In the thread: what nobody has renewed."""
        return not lease.attended if now_s - lease.sent_s >= RENEWAL_S else None

    def _renew(self, choose: Callable[[_Lease, float], bool | None]) -> None:
        """Send renewals, without holding the lock: attending or not, or none where `choose` says None."""
        now_s = self._clock.now()
        requests = []
        with self._lock:
            for grant, lease in self._leases.items():
                attending = choose(lease, now_s)
                if attending is not None:
                    number = lease.number_next(attending, now_s)
                    requests.append(RenewGrant(sequence=number, grant=grant, attending=attending))
                    self._note_under_way(number, now_s)
        for request in requests:
            self._send(request)

    def _note_under_way(self, number: int, now_s: float) -> None:
        self._under_way[number] = now_s
        if len(self._under_way) > MOST_UNDER_WAY:
            del self._under_way[next(iter(self._under_way))]
