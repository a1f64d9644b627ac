"""The controller core: from the time, the measurement and requests to set-points, replies and events.

Pure: it never waits, never sends, never reads a clock, and its state is plain values that can be saved and restored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telecell.contract import Command, Measurement
from telecell.control.arm import Arm
from telecell.control.core import Core
from telecell.control.dispatch import carry_out
from telecell.control.monitors import Finding
from telecell.control.sources import SOURCES
from telecell.control.state import ControllerState, restore, save
from telecell.control.ticks import ROUNDING_S, SLOWEST
from telecell.errors import MalformedRequestError, TelecellError
from telecell.messages import AnyEvent, AnyReply, AnyRequest, ErrorReport, MalformedRequest, Refused, events, request

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one tick brings.

    Attributes:
        command: for the plant.
        replies: one per request, in their order.
        events: what has happened.
    """

    command: Command
    replies: tuple[AnyReply, ...]
    events: tuple[AnyEvent, ...]


class Controller(Core):
    """One for all robots of a cell."""

    # One tick

    def step(
        self,
        now_s: float,
        measured: Measurement,
        requests: tuple[AnyRequest | MalformedRequest, ...] = (),
        plant_lost: str | None = None,
    ) -> StepResult:
        """Decide what the plant is to do next.

        Args:
            now_s: the cell's own clock.
            measured: at the beginning of the period.
            requests: to be answered.
            plant_lost: why the plant does not answer any more; then the measurement is an old one.
        """
        self.measured = measured
        self.ticks.note(measured.tick, now_s)
        self.journal.tick = measured.tick
        self._note_signals()
        self._watch_grants()
        self._watch(plant_lost)
        if requests:
            self._note_modes()
        replies = tuple([self._answer(request) for request in requests])
        self._move()
        self._note_modes()
        return StepResult(self._build_command(), replies, self.journal.take_fresh())

    def _answer(self, asked: AnyRequest | MalformedRequest) -> AnyReply:
        """Handle a request, and tell the change of modes before the next one makes another."""
        reply = self.handle(asked)
        if not isinstance(reply, Refused):
            self._note_modes()
        return reply

    def handle(self, asked: AnyRequest | MalformedRequest) -> AnyReply:
        """Carry out one request, or refuse it whole with the reason."""
        try:
            if isinstance(asked, MalformedRequest):
                raise MalformedRequestError(
                    "this is no request", value=asked.reason, remedy="docs/schema has the schema of requests."
                )
            return carry_out(self, asked)
        except TelecellError as error:
            if isinstance(asked, request.Command):
                operation = str(asked.__struct_config__.tag)
                self.journal.note_refusal(asked.origin, operation, str(error))
            return Refused(asked.sequence, ErrorReport.from_error(error))

    def _build_command(self) -> Command:
        axes = self.axes
        axes.sent = axes.drives.copy()
        return Command(
            axes.q_desired.copy(),
            axes.v_desired.copy(),
            self.openings.copy(),
            axes.sent,
            self._compute_payload_torques(),
            self.grip_forces.copy(),
            self.outputs.copy(),
        )

    def _compute_payload_torques(self) -> Array:
        torques = np.zeros(len(self.axes.names))
        for arm in self.arms.values():
            if arm.mass_kg:
                torques += self.compute_payload_torques(arm, arm.mass_kg, arm.centre_m)
        return torques

    # What is watched

    def _watch_grants(self) -> None:
        now_s = self.ticks.now_s
        for held, change, reason in self.grants.find_lost(now_s):
            self.end_grant(held, change, reason)
        for waiter in self.grants.take_absent(now_s):
            self.note_grant("left", waiter, "did not ask again")

    def _watch(self, plant_lost: str | None) -> None:
        if plant_lost is not None:
            self._act_on_cell("plant_lost", plant_lost)
            return
        moving = [arm for arm in self.arms.values() if arm.motion.active]
        findings = self.monitors.find(self.measured)
        if moving and not findings:
            fast = self.tip_guard.find_too_fast(self.axes.q_desired, self.axes.v_desired, self.measured.v_measured)
            findings += [fast] if fast else []
        for finding in findings:
            self.stopper.act_on(finding, self.measured)
        if not moving:
            self.ticks.forget_speed()
        elif self.ticks.speed < SLOWEST:
            self._act_on_cell("plant_slow", f"{self.ticks.speed:.2f} of real time, limit {SLOWEST}")
        for arm in moving:
            self._watch_silence(arm)

    def _watch_silence(self, arm: Arm) -> None:
        """The dead-man: whoever moves the robot has to give signs of life."""
        held, stream, now_s = self.grants.find_covering(arm.mask), arm.motion.stream, self.ticks.now_s
        if arm.motion.ending is not None:
            return
        # In a restored cell a motion may go on that nobody has control of yet.
        holder, rules = (held.holder, held.rules) if held else ("nobody", SOURCES["inside"])
        if stream is not None and not stream.ends:
            limit_s = rules.stream_silence_s
            silence_s, what, request = now_s - stream.heard_s, "set-point or renewal", stream.request
        else:
            limit_s, what, request = rules.silence_s, "sign of life", None
            silence_s = now_s - held.heard_s if held else 0.0
        if limit_s is not None and silence_s > limit_s + ROUNDING_S:
            reason = f"no {what} of {holder} for {silence_s:.3f} s, limit {limit_s} s"
            self.stopper.stop("silence", arm.mask, reason, self.measured, request=request)

    def _act_on_cell(self, cause: str, reason: str) -> None:
        self.stopper.act_on(Finding(cause, np.ones(len(self.axes.names), bool), reason), self.measured)

    # Moving

    def _move(self) -> None:
        self.stopper.switch_off_at_rest()
        self.axes.v_desired[:] = 0.0
        moving = [arm for arm in self.arms.values() if arm.motion.active]
        if not moving:
            return
        for arm in moving:
            sample = arm.motion.propose(arm.speed_factor, self.axes.q_desired[arm.index])
            self.axes.set(arm.index, sample)
        for arm, factor in self.tip_guard.find_excess(self.axes.q_desired, self.axes.v_desired):
            self.axes.set(arm.index, arm.motion.slow(factor))
        for arm in moving:
            arm.motion.accept()
            self._settle(arm)

    def _settle(self, arm: Arm) -> None:
        """Tell what has begun and ended, and let go of a motion that is over."""
        motion = arm.motion
        if motion.ending is not None:
            if motion.at_rest:
                self.stopper.let_go(arm)
            return
        for segment in motion.timeline.take_started():
            if segment.number:
                self.journal.note(
                    events.SegmentStarted, request=segment.request, robot=arm.name, segment=segment.number
                )
        if motion.stream is None:
            self.stopper.note_ended(arm, motion.timeline.take_ended(), "arrived")
            if not motion.timeline:
                motion.drop()
        elif motion.has_finished_stream:
            self.stopper.note_ended(arm, [], "arrived", motion.stream.request)
            motion.drop()

    # Events of change

    def _note_modes(self) -> None:
        conditions = self.axes.conditions
        for name, arm in self.arms.items():
            mode, before = self.get_mode(arm, conditions), self.modes[name]
            if mode is not before:
                self.journal.note(events.ModeChanged, robot=name, mode=mode.value, before=before.value)
                self.modes[name] = mode

    def _note_signals(self) -> None:
        values = self.read_inputs()
        if values != self.signals:
            for name, value in values.items():
                if value != self.signals[name]:
                    self.journal.note(events.SignalChanged, name=name, value=value)
            self.signals = values

    # Snapshots

    def save(self) -> ControllerState:
        """Plain values from which everything goes on exactly."""
        return save(self)

    def restore(self, saved: ControllerState) -> None:
        """Go on from saved values.

        Raises:
            SnapshotMismatch: they are damaged or of another cell; everything stays as it was.
        """
        restore(self, saved)
