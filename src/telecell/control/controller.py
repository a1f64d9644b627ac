"""The controller core: from the time, the measurement and requests to set-points, replies and events.

Pure: it never waits, never sends, never reads a clock, and its state is plain values that can be saved and restored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telecell.contract import Command, Measurement
from telecell.control.arm import Arm
from telecell.control.axes import FREE, OFF, Axes
from telecell.control.handlers import carry_out
from telecell.control.holder import Holder
from telecell.control.journal import Journal
from telecell.control.modes import Mode
from telecell.control.monitors import Finding, Monitors
from telecell.control.state import ControllerState, restore, save
from telecell.control.stopper import Stopper
from telecell.control.ticks import SLOWEST, Ticks
from telecell.control.tip_guard import TipGuard
from telecell.errors import MalformedRequestError, TelecellError
from telecell.geometry import Pose
from telecell.kinematics.posture import Posture
from telecell.kinematics.tips import Tips
from telecell.messages import AnyEvent, AnyReply, AnyRequest, ErrorReport, MalformedRequest, Refused, events, request
from telecell.models import Cell

Array = NDArray[np.float64]
Point = tuple[float, float, float]

STREAM_SILENCE_S = 0.1
"""The dead-man time of a stream."""


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


class Controller:
    """One for all robots of a cell.

    Args:
        cell: the description.
        period_s: the control period.
        measured: what the plant says at the start.
        epoch: tells this run of the cell from every other.
        ramps_before_power_off: whether the plant can be braked by its servos before it is switched off.
    """

    def __init__(
        self,
        cell: Cell,
        period_s: float,
        measured: Measurement,
        *,
        epoch: str = "",
        ramps_before_power_off: bool = True,
    ):
        self.cell, self.period_s, self.measured = cell, period_s, measured
        self.posture = Posture(cell)
        self.axes = Axes(cell)
        self.arms = {robot.name: Arm(cell, robot, self.posture, period_s) for robot in cell.robots}
        arms = list(self.arms.values())
        self._sharing = {arm.name: [other for other in arms if (other.mask & arm.mask).any()] for arm in arms}
        self.tips = TipGuard(Tips(self.posture), arms)
        self.holder = Holder(epoch)
        self.journal = Journal()
        self.ticks = Ticks(period_s)
        self.monitors = Monitors(cell, self.axes, period_s)
        self.stopper = Stopper(self.axes, arms, self.journal, ramps=ramps_before_power_off)
        self.user_frames: dict[str, Pose] = {}
        self.openings = np.ones(len(cell.tools))
        self.grip_forces = np.array([tool.force for tool in cell.tools], dtype=float)
        self.outputs = np.array([signal.normal for signal in cell.outputs], dtype=bool)
        self.modes = dict.fromkeys(self.arms, Mode.OFF)
        self.signals = self._read_inputs()

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
        self._watch(plant_lost)
        replies = tuple([self.handle(request) for request in requests])
        self._move()
        self._note_modes()
        return StepResult(self._build_command(), replies, self.journal.take_fresh())

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
                self.journal.note(events.CommandRefused, request=asked.sequence, operation=operation, reason=str(error))
            return Refused(asked.sequence, ErrorReport.from_error(error))

    def _build_command(self) -> Command:
        axes = self.axes
        return Command(
            axes.q_desired.copy(),
            axes.v_desired.copy(),
            self.openings.copy(),
            axes.drives.copy(),
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

    def compute_payload_torques(self, arm: Arm, mass_kg: float, centre_m: Point) -> Array:
        """What every axis has to give to hold a payload where the set-points are, N·m or N."""
        tip = self.tips.tips.frames.index(arm.robot.tip)
        return self.tips.tips.compute_gravity_torques(tip, centre_m, mass_kg, self.axes.q_desired)

    # What is watched

    def _watch(self, plant_lost: str | None) -> None:
        if plant_lost is not None:
            self._act_on_cell("plant_lost", plant_lost)
            return
        finding = self.monitors.find(self.measured)
        if finding is not None:
            self.stopper.act_on(finding, self.measured)
        moving = [arm for arm in self.arms.values() if arm.motion.active]
        if moving and self.ticks.speed < SLOWEST:
            self._act_on_cell("plant_slow", f"{self.ticks.speed:.2f} of real time, limit {SLOWEST}")
        for arm in moving:
            self._watch_stream(arm)

    def _watch_stream(self, arm: Arm) -> None:
        stream = arm.motion.stream
        if stream is None or stream.ends or arm.motion.ending is not None:
            return
        silence = self.ticks.now_s - stream.heard_s
        if silence > STREAM_SILENCE_S:
            reason = f"no set-point or renewal for {silence:.3f} s, limit {STREAM_SILENCE_S} s"
            self.stopper.stop("silence", arm.mask, reason, self.measured, request=stream.request)

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
        for arm, factor in self.tips.find_excess(self.axes.q_desired, self.axes.v_desired):
            self.axes.set(arm.index, arm.motion.slow(factor))
        for arm in moving:
            arm.motion.accept()
            self._settle(arm)
        finding = self.tips.find_too_fast(self.measured.v_measured)
        if finding is not None:
            self.stopper.act_on(finding, self.measured)

    def _settle(self, arm: Arm) -> None:
        """Tell what has begun and ended, and let go of a motion that is over."""
        motion = arm.motion
        for segment in motion.timeline.take_started():
            if segment.number:
                self.journal.note(
                    events.SegmentStarted, request=segment.request, robot=arm.name, segment=segment.number
                )
        if motion.ending is not None:
            if motion.at_rest:
                self.stopper.let_go(arm)
            return
        if motion.stream is None:
            self.stopper.note_ended(arm, motion.timeline.take_ended(), "arrived")
            if not motion.timeline:
                motion.drop()
        elif motion.has_finished_stream:
            self.stopper.note_ended(arm, [], "arrived", motion.stream.request)
            motion.drop()

    # What handlers need

    def get_queue_end(self, arm: Arm) -> Array:
        """Where a robot will be when everything queued is over."""
        segments = arm.motion.timeline.segments
        return np.array(segments[-1].trajectory.goal if segments else self.axes.q_desired[arm.index])

    def place(self, arm: Arm, own_joints: Array) -> None:
        """Put the kinematics where the set-points are, with one robot somewhere else."""
        joints = self.axes.q_desired.copy()
        joints[arm.index] = own_joints
        arm.place(joints)

    def halt(self, arms: list[Arm]) -> None:
        """Bring robots to rest on their paths."""
        for arm in arms:
            if arm.motion.active and arm.motion.ending is None:
                arm.motion.end("halt")

    def list_sharing(self, arm: Arm) -> list[Arm]:
        """The robots that have an axis of this one, itself among them."""
        return self._sharing[arm.name]

    def find_rival(self, arm: Arm) -> tuple[str, str] | None:
        """Another robot that moves an axis of this one: the axis and the robot."""
        for other in self._sharing[arm.name]:
            if other is not arm and other.motion.active:
                return self.axes.get_names(arm.mask & other.mask)[0], other.name
        return None

    def get_mode(self, arm: Arm) -> Mode:
        """What a robot is doing, from its axes, by the first row of the table of modes that applies."""
        return self._get_mode(arm, self.axes.conditions)

    def _get_mode(self, arm: Arm, conditions: list[int]) -> Mode:
        movers = [other.motion for other in self._sharing[arm.name] if other.motion.active]
        if any(motion.ending for motion in movers):
            return Mode.STOPPING
        if self.axes.is_latched(arm.index):
            return Mode.STOPPED
        found = {conditions[i] for i in arm.index.tolist()}
        if OFF in found:
            return Mode.OFF
        if FREE in found:
            return Mode.FREE
        if any(motion.stream is not None for motion in movers):
            return Mode.TRACKING
        return Mode.MOVING if movers else Mode.HOLDING

    def read_signals(self) -> dict[str, bool]:
        """Every signal and light beam by name."""
        outputs = zip([signal.name for signal in self.cell.outputs], self.outputs.tolist(), strict=True)
        return {**self._read_inputs(), **dict(outputs)}

    def _read_inputs(self) -> dict[str, bool]:
        names = [*(signal.name for signal in self.cell.inputs), *(beam.name for beam in self.cell.beams)]
        return dict(zip(names, [*self.measured.inputs.tolist(), *self.measured.beams.tolist()], strict=True))

    # Events of change

    def _note_modes(self) -> None:
        conditions = self.axes.conditions
        for name, arm in self.arms.items():
            mode, before = self._get_mode(arm, conditions), self.modes[name]
            if mode is not before:
                self.journal.note(events.ModeChanged, robot=name, mode=mode.value, before=before.value)
                self.modes[name] = mode

    def _note_signals(self) -> None:
        values = self._read_inputs()
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
