"""Who may command at a moment, and with what: by the cell's audit trail and the truth about every letter."""

from __future__ import annotations

from dataclasses import dataclass, field

from telecell.messages import Command, Grant
from telecell.messages.granting import RenewGrant, Source

BOUND_S = 0.25
"""How old a command may be."""

LEASE_S = 1.0
SILENCE_S = {"program": 0.5, "attended": 0.5, "page": 0.3, "wire": 0.5}
"""How long the holder may be silent while queued motion is under way, by class."""

STREAM_SILENCE_S = {"program": 0.1, "attended": 0.1, "page": 0.3, "wire": 0.5}
"""The same for a stream, whose signs of life are its own."""

ROUNDING_S = 1e-6


@dataclass(slots=True)
class Holder:
    """Whoever has the grant.

    Attributes:
        renewed_s: when the last sign of life came that the lease needs.
        heard_s: the same for queued motion.
        newest: highest sequence number that the cell has accepted on each channel.
    """

    sender: str
    grant: Grant
    source: Source
    renewed_s: float
    heard_s: float
    newest: dict[str, int] = field(default_factory=dict)

    def note(self, request: Command, now_s: float) -> None:
        """A command of the holder was carried out."""
        self.newest[request.channel] = request.sequence
        self.renewed_s = now_s
        if not isinstance(request, RenewGrant) or request.attending:
            self.heard_s = now_s

    def find_objection(self, request: Command, age_s: float, period_s: float) -> str | None:
        """Why a command must not act, by the rules of control."""
        if request.grant is None or request.grant.epoch != self.grant.epoch:
            return "its grant is of another run of the cell"
        if request.grant != self.grant or request.sender != self.sender:
            return "its grant is not the present one"
        if request.sequence <= self.newest.get(request.channel, -1):
            return "a later one of its channel has been carried out"
        if age_s > BOUND_S + period_s + ROUNDING_S:
            return f"it was made {age_s:.2f} s ago"
        return None


@dataclass(slots=True)
class Motion:
    """The axis under way, from rest to rest.

    Attributes:
        low: least place to which somebody who may has sent it, or where it began.
        high: the greatest one.
        goals: where it was sent.
        heard_s: the last set-point or renewal of its stream; None for queued motion.
        braking: for how many ticks it has had to come to rest; None while it need not.
        rests: for how many ticks it has not moved.
    """

    low: float
    high: float
    goals: list[float] = field(default_factory=list)
    heard_s: float | None = None
    braking: int | None = None
    rests: int = 0

    def send_to(self, goal: float) -> None:
        """Somebody who may has sent it somewhere."""
        self.goals.append(goal)
        self.widen(goal)

    def widen(self, place: float) -> None:
        """A place is not outside any more."""
        self.low, self.high = min(self.low, place), max(self.high, place)

    def brake(self) -> None:
        """It has to come to rest."""
        self.braking = self.braking or 0

    def is_over(self, sent: bool) -> bool:
        """Whether it is at rest, and what follows is another motion. A tick of rest may also be a turn.

        Args:
            sent: somebody who may sends the axis somewhere now; while it brakes this is not done before it rests.
        """
        return self.rests > 1 or (sent and (self.rests > 0 or self.braking is not None))

    def find_silence(self, holder: Holder, now_s: float) -> str | None:
        """For how long there has been no sign of life, if that is too long and it does not brake already."""
        if self.braking is not None:
            return None
        if self.heard_s is None:
            silent_s, limit_s = now_s - holder.heard_s, SILENCE_S[holder.source]
        else:
            silent_s, limit_s = now_s - self.heard_s, STREAM_SILENCE_S[holder.source]
        return f"{silent_s:.2f} s without a sign of life" if silent_s > limit_s + ROUNDING_S else None
