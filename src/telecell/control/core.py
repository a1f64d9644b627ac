"""What the controller knows: the cell, its axes and robots, who may command, and what was last measured."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from telecell.contract import Measurement
from telecell.control.arm import Arm
from telecell.control.axes import FREE, OFF, Axes
from telecell.control.changes import CHANGES
from telecell.control.grants import Grants, Held, Mask
from telecell.control.journal import Journal
from telecell.control.modes import Mode
from telecell.control.monitors import Monitors
from telecell.control.profiles import PROFILES, Profile
from telecell.control.stopper import Stopper
from telecell.control.ticks import Ticks
from telecell.control.tip_guard import TipGuard
from telecell.control.waiting import Waiter
from telecell.errors import UnknownName
from telecell.geometry import Pose
from telecell.kinematics.posture import Posture
from telecell.kinematics.tips import Tips
from telecell.messages import GrantState, Origin, events
from telecell.models import Cell

Array = NDArray[np.float64]
Point = tuple[float, float, float]

LONGEST_HISTORY = 200


class Core:
    """The state of the controller, and the questions that its parts ask.

    Args:
        cell: the description.
        period_s: the control period.
        measured: what the plant says at the start.
        epoch: tells this run of the cell from every other.
        ramps_before_power_off: whether the plant can be braked by its servos before it is switched off.
        profile: the rules of control as numbers.

    Attributes:
        posture: scratch for kinematics; whoever uses it sets it first.
        measured: the newest measurement.
        grants: who may command.
        grant_history: the last changes in that.
        setup_number: grows whenever a holder changes a frame, a configuration or a named pose.
        modes: of each robot, as last told.
        signals: values of the inputs, as last told.
    """

    def __init__(
        self,
        cell: Cell,
        period_s: float,
        measured: Measurement,
        *,
        epoch: str = "",
        ramps_before_power_off: bool = True,
        profile: Profile = PROFILES["local"],
    ):
        self.cell, self.period_s, self.measured = cell, period_s, measured
        self.posture = Posture(cell)
        self.axes = Axes(cell)
        self.arms = {robot.name: Arm(cell, robot, self.posture, period_s) for robot in cell.robots}
        arms = list(self.arms.values())
        self._sharing = {arm.name: [other for other in arms if (other.mask & arm.mask).any()] for arm in arms}
        self.tips = Tips(self.posture)
        self.tip_guard = TipGuard(self.tips, arms)
        self.grants = Grants(epoch, profile)
        self.grant_history: deque[events.GrantChanged] = deque(maxlen=LONGEST_HISTORY)
        self.setup_number = 0
        self.journal = Journal()
        self.ticks = Ticks(period_s)
        self.monitors = Monitors(cell, self.axes, period_s)
        self.stopper = Stopper(self.axes, arms, self.journal, ramps=ramps_before_power_off)
        self.user_frames: dict[str, Pose] = {}
        self.openings = np.ones(len(cell.tools))
        self.grip_forces = np.array([tool.force for tool in cell.tools], dtype=float)
        self.outputs = np.array([signal.normal for signal in cell.outputs], dtype=bool)
        self.modes = dict.fromkeys(self.arms, Mode.OFF)
        self.signals = self.read_inputs()

    # Robots

    def list_sharing(self, arm: Arm) -> list[Arm]:
        """The robots that have an axis of this one, itself among them."""
        return self._sharing[arm.name]

    def find_rival(self, arm: Arm) -> tuple[str, str] | None:
        """Another robot that moves an axis of this one: the axis and the robot."""
        for other in self._sharing[arm.name]:
            if other is not arm and other.motion.active:
                return self.axes.get_names(arm.mask & other.mask)[0], other.name
        return None

    def get_mode(self, arm: Arm, conditions: list[int] | None = None) -> Mode:
        """What a robot is doing, by the first row of the table of modes that applies.

        Args:
            arm: the robot.
            conditions: those of the axes, for callers that ask for many robots.
        """
        movers = [other.motion for other in self._sharing[arm.name] if other.motion.active]
        if any(motion.ending for motion in movers):
            return Mode.STOPPING
        if self.axes.is_latched(arm.index):
            return Mode.STOPPED
        everything = conditions or self.axes.conditions
        found = {everything[i] for i in arm.index.tolist()}
        if OFF in found:
            return Mode.OFF
        if FREE in found:
            return Mode.FREE
        if any(motion.stream is not None for motion in movers):
            return Mode.TRACKING
        return Mode.MOVING if movers else Mode.HOLDING

    def get_queue_end(self, arm: Arm) -> Array:
        """Where a robot will be when everything queued is over."""
        segments = arm.motion.timeline.segments
        return np.array(segments[-1].trajectory.goal if segments else self.axes.q_desired[arm.index])

    def halt(self, arms: list[Arm]) -> None:
        """Bring robots to rest on their paths."""
        for arm in arms:
            if arm.motion.active and arm.motion.ending is None:
                self.stopper.note_ended(arm, arm.motion.end("halt"), "halted")

    # Grants

    def find_mask(self, names: tuple[str, ...]) -> Mask:
        """The axes of robots and axes by name; all if none is named.

        Raises:
            UnknownName: with the known ones.
        """
        mask = np.full(len(self.axes.names), not names)
        for name in names:
            if name in self.arms:
                mask |= self.arms[name].mask
            elif name in self.axes.names:
                mask[self.axes.names.index(name)] = True
            else:
                raise UnknownName("robot or axis", name, (*self.arms, *self.axes.names), where=f"cell {self.cell.name}")
        return mask

    def note_grant(self, change: str, whose: Held | Waiter, reason: str, request: Origin | None = None) -> None:
        """Tell that something has changed in who may command."""
        event = self.journal.note(
            events.GrantChanged,
            request=request,
            change=change,
            holder=whose.holder,
            axes=self.axes.get_names(whose.mask),
            reason=reason,
            tenure=whose.tenure if isinstance(whose, Held) else None,
        )
        self.grant_history.append(event)

    def end_grant(self, held: Held, change: str, reason: str, request: Origin | None = None) -> None:
        """A grant ends; motion under it ends as the table of changes says."""
        self.grants.end(held)
        self.tip_guard.lower(held.mask)
        self.note_grant(change, held, reason, request)
        if CHANGES[change].motion == "halt":
            self.halt([arm for arm in self.arms.values() if (arm.mask & held.mask).any()])
        else:
            # Axes without power cannot move: a latch would only be one more thing to clear.
            powered = held.mask & (self.axes.drives != OFF)
            self.stopper.stop("grant_lost", powered, reason, self.measured, request=request)

    def report_grants(self) -> tuple[GrantState, ...]:
        """Every grant as plain values."""
        return tuple([self._report_grant(held) for held in self.grants.held.values()])

    def _report_grant(self, held: Held) -> GrantState:
        now_s = self.ticks.now_s
        round_trip_s, lost = held.trips.measure(now_s)
        return GrantState(
            held.tenure,
            held.holder,
            held.sender,
            held.source,
            held.priority,
            self.axes.get_names(held.mask),
            now_s - held.heard_s,
            now_s - held.given_s,
            now_s - held.acted_s,
            round_trip_s,
            lost,
        )

    # Kinematics

    def place(self, arm: Arm, own_joints: Array) -> None:
        """Put the kinematics where the set-points are, with one robot somewhere else."""
        joints = self.axes.q_desired.copy()
        joints[arm.index] = own_joints
        arm.place(joints, self.measured)

    def compute_payload_torques(self, arm: Arm, mass_kg: float, centre_m: Point) -> Array:
        """What every axis has to give to hold a payload where the set-points are, N·m or N."""
        tip = self.tips.frames.index(arm.robot.tip)
        return self.tips.compute_gravity_torques(tip, centre_m, mass_kg, self.axes.q_desired)

    # Signals

    def read_signals(self) -> dict[str, bool]:
        """Every signal and light beam by name."""
        outputs = zip([signal.name for signal in self.cell.outputs], self.outputs.tolist(), strict=True)
        return {**self.read_inputs(), **dict(outputs)}

    def read_inputs(self) -> dict[str, bool]:
        """Every input signal and light beam by name."""
        names = [*(signal.name for signal in self.cell.inputs), *(beam.name for beam in self.cell.beams)]
        return dict(zip(names, [*self.measured.inputs.tolist(), *self.measured.beams.tolist()], strict=True))
