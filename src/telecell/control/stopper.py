"""Brings axes to rest by the table of stops, and keeps them there until reset."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from telecell.contract import Measurement
from telecell.control.arm import Arm
from telecell.control.axes import FREE, OFF, SERVO, Axes
from telecell.control.journal import Journal
from telecell.control.monitors import Finding
from telecell.control.stops import STOPS, StopRow
from telecell.control.timeline import Segment
from telecell.messages import Origin, events
from telecell.messages.events import Outcome

Mask = NDArray[np.bool_]


class Stopper:
    """Stops axes with everything that moves them.

    Args:
        axes: of the cell.
        arms: its robots.
        journal: where stops are told.
        ramps: whether the plant can be braked by its servos before its power goes (category 1).
    """

    def __init__(self, axes: Axes, arms: list[Arm], journal: Journal, *, ramps: bool):
        self._axes, self._arms, self._journal, self._ramps = axes, arms, journal, ramps

    def stop(
        self,
        cause: str,
        mask: Mask,
        reason: str,
        measured: Measurement,
        *,
        axis: str | None = None,
        author: str | None = None,
        request: Origin | None = None,
    ) -> None:
        """Stop axes and latch them; stopping again changes nothing, except to a harder stop.

        Args:
            cause: a row of the table of stops.
            mask: the axes; whatever moves one of them stops as a whole.
            reason: which value, which limit.
            measured: where a ramp off the path begins.
            axis: the one to blame.
            author: who asked for it.
            request: by which request.
        """
        row = STOPS[cause]
        category = 0 if row.category == 1 and not self._ramps else row.category
        mask = self._include_movers(mask)
        # A lost plant has no later tick that anybody could have seen.
        self._axes.stopped_at[mask] = measured.tick - (cause == "plant_lost")
        if not self._find_news(row, mask).any():
            return
        for arm in self._arms:
            if (arm.mask & mask).any():
                self._end(arm, row, category, measured)
        if category != 0:
            self._hold(mask, row, measured)
        for i in np.flatnonzero(mask & ~self._find_covered(row)):
            self._axes.latches[i], self._axes.reasons[i] = cause, reason
        if category == 0:
            self._axes.switch_off(mask)
        elif category == 1:
            self._axes.off_at_rest |= mask & (self._axes.drives != OFF)
        self._journal.note(
            events.Stopped,
            cause=cause,
            category=category,
            axes=self._axes.get_names(mask),
            reason=reason,
            axis=axis,
            author=author,
            request=request,
        )

    def act_on(self, finding: Finding, measured: Measurement) -> None:
        """Stop because of something that was found, wherever the table says."""
        everything = STOPS[finding.cause].scope == "cell"
        mask = np.ones_like(finding.axes) if everything else finding.axes.copy()
        for arm in self._arms:
            if (arm.mask & finding.axes).any():
                mask |= arm.mask
        if self._find_news(STOPS[finding.cause], finding.axes).any():
            self.stop(finding.cause, mask, finding.reason, measured, axis=finding.axis)

    def _include_movers(self, mask: Mask) -> Mask:
        wider = mask.copy()
        for arm in self._arms:
            if arm.motion.active and (arm.mask & mask).any():
                wider |= arm.mask
        return wider

    def _find_news(self, row: StopRow, mask: Mask) -> Mask:
        """Axes for which a stop changes something: not stopped as hard yet, or still on a path that is not true."""
        news = mask & ~self._find_covered(row)
        if row.ramp == "measured":
            for arm in self._arms:
                if arm.motion.active and not arm.motion.braking:
                    news |= mask & arm.mask
        return news

    def _find_covered(self, row: StopRow) -> Mask:
        """Axes that are latched already, as hard or harder."""
        return np.array([known is not None and _covers(STOPS[known], row) for known in self._axes.latches], dtype=bool)

    def _end(self, arm: Arm, row: StopRow, category: int, measured: Measurement) -> None:
        motion = arm.motion
        stream = motion.stream.request if motion.stream else None
        if category == 0:
            told = motion.ending == "stop"
            dropped = motion.drop()
            self.note_ended(arm, [] if told else dropped, "stopped", None if told else stream)
        elif not motion.active or motion.braking:
            return
        else:
            if motion.ending != "stop":
                segments = [segment for segment in motion.timeline.segments if segment.number]
                self.note_ended(arm, segments, "stopped", stream)
            if row.ramp == "measured":
                motion.brake(measured.q_measured[arm.index], measured.v_measured[arm.index])
            else:
                motion.end("stop")

    def _hold(self, mask: Mask, row: StopRow, measured: Measurement) -> None:
        """Axes that nothing moved: freed ones are held; off the path they stay where they are found."""
        freed = mask & (self._axes.drives == FREE)
        self._axes.regain(freed, measured)
        if row.ramp != "measured":
            return
        busy = np.zeros_like(mask)
        for arm in sorted(self._arms, key=lambda arm: (not arm.motion.active, -len(arm.index))):
            if not (arm.mask & (busy | ~mask)).any():
                if not arm.motion.active and (self._axes.drives[arm.index] == SERVO).all():
                    arm.motion.brake(measured.q_measured[arm.index], measured.v_measured[arm.index])
                busy |= arm.mask

    def note_ended(self, arm: Arm, segments: list[Segment], outcome: Outcome, stream: Origin | None = None) -> None:
        """Tell that segments, or a stream, have ended."""
        for segment in segments:
            self._journal.note(
                events.SegmentEnded, request=segment.request, robot=arm.name, segment=segment.number, outcome=outcome
            )
        if stream is not None:
            self._journal.note(events.StreamEnded, request=stream, robot=arm.name, outcome=outcome)

    def let_go(self, arm: Arm) -> None:
        """A motion that was ended stands still: forget it."""
        halted = arm.motion.ending == "halt"
        stream = arm.motion.stream.request if halted and arm.motion.stream else None
        segments = arm.motion.drop()
        if halted:
            self.note_ended(arm, segments, "halted", stream)

    def switch_off_at_rest(self) -> None:
        """Category 1: where the ramp is over, the power goes."""
        if not self._axes.off_at_rest.any():
            return
        ready = self._axes.off_at_rest.copy()
        for arm in self._arms:
            if arm.motion.active:
                ready &= ~arm.mask
        if ready.any():
            self._axes.switch_off(ready)


def _covers(known: StopRow, asked: StopRow) -> bool:
    """Whether one stop is as hard as another."""
    if known.category != asked.category:
        return known.category < asked.category
    return known.ramp == "measured" or asked.ramp == "path"
