"""Judges a run by the plant's record: did the axis ever move when, where or for whom it must not?

It has the rules of control as numbers of its own. It believes the cell's audit trail about who holds the grant and
which requests were carried out, and nothing else: motion that this does not explain is a violation.
"""

from __future__ import annotations

import math
from collections import defaultdict

from soak.simulation.record import Delivery, Record, Tick
from soak.simulation.trail import LEASE_S, ROUNDING_S, Holder, Motion
from telecell.messages import AnyEvent, Command, Grant, Origin, events
from telecell.messages.granting import Acquire
from telecell.messages.moves import EndStream, MoveJoints, Renew, StreamJoints
from telecell.messages.settings import Power
from telecell.messages.stopping import Halt, Reset

BRAKE_TICKS = 25
"""More than the axis needs from full speed to rest."""

MOVED = 1e-9
PASSED = 2e-4
"""Rad by which the axis may be beyond a place on its way."""

ENDS = ("released", "handed_over", "taken_back", "expired", "idle", "overdue")
"""Changes after which nobody has the axis."""


def judge(record: Record) -> list[str]:
    """What was not kept in a run, in words, each with the row of the table of figures that it breaks."""
    judgement = Judge(record.period_s)
    for tick in record.ticks:
        judgement.review(tick)
    return judgement.wrongs


class Judge:
    """Goes through a record, tick by tick.

    Attributes:
        wrongs: what was not kept.
        motions: how many motions there were, from rest to rest.
    """

    def __init__(self, period_s: float):
        self.wrongs: list[str] = []
        self.motions = 0
        self._period_s = period_s
        self._before: Tick | None = None

    def review(self, tick: Tick) -> None:
        """Judge the next tick."""
        self._now_s, self._epoch = tick.now_s, tick.epoch
        self._goals: list[float] = []
        self._streams = self._switched = self._given = False
        self._objections: list[str] = []
        if self._before is None or self._before.epoch != tick.epoch:
            self._begin(tick)
        before, self._before = self._before or tick, tick
        silence = self._follow_trail(tick)
        if tick.powered and not before.powered and not self._switched:
            self._blame("A1", "the drive was switched on by nobody who may")
        self._judge_motion(before, tick, silence)

    def _begin(self, tick: Tick) -> None:
        """The cell has come up; nothing goes on from before."""
        self._before = None
        self._holder: Holder | None = None
        self._motion: Motion | None = None
        self._stopped = self._settled = False
        self._reset_made_s = -math.inf
        if tick.powered:
            self._blame("A5", "the drive is on when the cell comes up")

    def _blame(self, row: str, what: str) -> None:
        reasons = f" ({'; '.join(self._objections)})" if self._objections else ""
        self.wrongs.append(f"{row} at {self._now_s:.2f} s: {what}{reasons}")

    # What reached the cell, and what it says

    def _follow_trail(self, tick: Tick) -> str | None:
        """Take in what happened by itself, then every request with what it caused.

        Returns:
            For how long the holder had been silent in between, if that was too long.
        """
        carried_out = {delivery.request.origin for delivery in tick.deliveries if delivery.accepted}
        caused: defaultdict[Origin | None, list[AnyEvent]] = defaultdict(list)
        for event in tick.events:
            origin = Origin(event.sender or "", event.request or 0)
            caused[origin if origin in carried_out else None].append(event)
        for event in caused[None]:
            self._note_event(event)
        silence = self._find_silence()
        for delivery in tick.deliveries:
            if delivery.accepted:
                self._note_delivery(delivery)
                for event in caused.pop(delivery.request.origin, []):
                    self._note_event(event, delivery)
        return silence

    def _note_event(self, event: AnyEvent, delivery: Delivery | None = None) -> None:
        match event:
            case events.Stopped():
                self._stopped, self._settled = True, False
                self._brake()
            case events.GrantChanged(change="acquired") if delivery and isinstance(delivery.request, Acquire):
                self._give(event, delivery.request)
            case events.GrantChanged() if event.change in ENDS:
                if self._holder and self._holder.grant.tenure == event.tenure:
                    self._holder = None
                self._brake()

    def _give(self, event: events.GrantChanged, request: Acquire) -> None:
        if self._holder is not None:
            self._blame("A1", f"{event.holder} is given the axis while {self._holder.sender} has it")
        grant = Grant(self._epoch, event.tenure or 0)
        self._holder = Holder(request.sender, grant, request.source, self._now_s, self._now_s)
        self._given = True

    def _brake(self) -> None:
        if self._motion is not None:
            self._motion.brake()

    def _note_delivery(self, delivery: Delivery) -> None:
        """A request was carried out: by somebody who may?"""
        request = delivery.request
        if not isinstance(request, Command) or isinstance(request, Acquire):
            return
        objection = self._find_objection(request, delivery.made_s)
        if objection is not None:
            self._objections.append(f"{type(request).__name__} of {request.sender} was carried out, but {objection}")
        elif self._holder is not None:
            self._holder.note(request, self._now_s)
            self._note_command(request, delivery.made_s)

    def _find_objection(self, request: Command, made_s: float) -> str | None:
        if self._holder is None:
            return "nobody has the grant"
        if made_s < self._reset_made_s and isinstance(request, MoveJoints | StreamJoints):
            return "it was made before the reset"
        return self._holder.find_objection(request, self._now_s - made_s, self._period_s)

    def _note_command(self, request: Command, made_s: float) -> None:
        motion = self._motion
        match request:
            case MoveJoints():
                self._goals.append(request.joints[0])
            case StreamJoints():
                self._goals.append(request.joints[0])
                self._streams = True
            case Renew() if motion:
                motion.heard_s = self._now_s
            case EndStream():
                self._streams = False
                if motion:
                    motion.heard_s = None
            case Halt():
                self._brake()
            case Reset():
                self._stopped, self._reset_made_s = False, made_s
            case Power(on=True):
                self._switched = True

    # What the axis does

    def _find_silence(self) -> str | None:
        holder = self._holder
        if holder is None:
            return None
        if self._now_s - holder.renewed_s > LEASE_S + ROUNDING_S:
            self._blame(
                "B3", f"{holder.sender} has the grant {self._now_s - holder.renewed_s:.2f} s after the last sign"
            )
        return self._motion.find_silence(holder, self._now_s) if self._motion else None

    def _judge_motion(self, before: Tick, tick: Tick, silence: str | None) -> None:
        if self._motion is not None and self._motion.is_over(bool(self._goals)):
            self._end_motion(before.q_desired)
        if not before.powered or abs(tick.q_desired - before.q_desired) <= MOVED:
            self._settled = self._stopped
            if self._motion is not None:
                self._motion.rests += 1
            return
        if self._stopped and self._settled:
            self._blame("A4", "moves after a stop, without a reset by somebody who may")
        if self._given:
            self._blame("A1", "moves while the grant passes from one to another")
        self._judge_place(self._motion or self._begin_motion(before.q_desired), tick.q_desired)
        if silence is not None:
            self._blame("B1", f"still moves after {silence}")

    def _begin_motion(self, place: float) -> Motion:
        self.motions += 1
        if not self._goals:
            self._blame("A1", "begins to move without a command of somebody who may")
        self._motion = Motion(place, place)
        return self._motion

    def _judge_place(self, motion: Motion, place: float) -> None:
        motion.rests = 0
        for goal in self._goals:
            motion.send_to(goal)
        if self._streams:
            motion.heard_s = self._now_s
        if not motion.low - PASSED <= place <= motion.high + PASSED:
            between = f"{motion.low:.3f} and {motion.high:.3f} rad"
            self._blame("A1", f"at {place:.3f} rad, though whoever may has it between {between}")
            motion.widen(place)
        if motion.braking is not None:
            motion.braking += 1
            if motion.braking == BRAKE_TICKS:
                self._blame("A4", f"still moves {BRAKE_TICKS} ticks after it was to come to rest")

    def _end_motion(self, place: float) -> None:
        motion, self._motion = self._motion, None
        if motion is None or motion.braking is not None or not motion.goals:
            return
        if all(abs(place - goal) > PASSED for goal in motion.goals):
            self._blame("A1", f"rests at {place:.3f} rad, where nobody who may has sent it")
