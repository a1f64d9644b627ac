"""An independent witness between controller and plant.

It sees what passes: commands, measurements, requests that were accepted, and events. It judges them by the cell's
description alone, with forward kinematics of its own, and never asks the controller what it believes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from telecell.contract import Command, Drive, Measurement, Plant
from telecell.messages import AnyEvent, AnyRequest, events, settings, stopping
from telecell.models import Cell, compile_world

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ROUNDING = 2e-6
"""Rad or m by which a set-point may leave a software limit."""

BEYOND = {"hinge": np.radians(1.0), "slide": 0.004}
"""How far beyond a software limit an axis may be measured: servo error, and the way of a brake."""

SHARE = 1.02
"""Speeds and accelerations hold within two per cent."""

TIP_SPEED_M_S = 0.25
RAMP_S = 1.5
"""Within this time after a stop no set-point changes any more: longer than any axis needs from full speed."""

SETTLE_S = 0.5
DRIFT = {"hinge": 2e-3, "slide": 1e-3}
"""How far a stopped axis may be measured from where it came to rest."""

LOWERING_S = 1.5
"""A tip speed that is lowered in motion is kept after so long."""

ANCHORED_BY = ("following_error", "position_limit", "speed_limit", "torque_limit", "plant_slow")
"""Stops whose ramp begins at the measurement."""

ENDS_GRANT = ("released", "handed_over", "taken_back", "expired", "idle", "overdue")
"""Changes after which nobody has the axes."""

KEPT = 100


@dataclass(frozen=True, slots=True)
class _Period:
    """One control period: what was known, what was commanded, what came of it."""

    before: Measurement
    command: Command
    after: Measurement


class Tips:
    """Where the tips of a cell's robots are, by a model of its own."""

    def __init__(self, cell: Cell):
        self._model = compile_world(cell)
        self._data = mujoco.MjData(self._model)
        self._qpos = [self._model.joint(axis.name).qposadr[0] for axis in cell.axes]
        self.names = list(dict.fromkeys(robot.tip for robot in cell.robots))
        self._sites = [self._model.site(name).id for name in self.names]

    def locate(self, joints: Array) -> Array:
        """(tips, 3) in the world."""
        self._data.qpos[self._qpos] = joints
        mujoco.mj_kinematics(self._model, self._data)
        return self._data.site_xpos[self._sites].copy()


class Observer:
    """A plant around a plant, which keeps the record; `review` judges it.

    Attributes:
        plant: the observed one.
        violations: what was not kept, in words; the first hundred.
        periods: how many control periods were judged.
        fastest_tip_m_s: the greatest speed of a tip's set-point so far.
    """

    def __init__(self, plant: Plant):
        self.plant, self.cell, self.period_s = plant, plant.cell, plant.period_s
        self.deterministic, self.snapshots, self.paces = plant.deterministic, plant.snapshots, plant.paces
        self.supports_ramped_power_off = plant.supports_ramped_power_off
        axes = self.cell.axes
        self._names = np.array([axis.name for axis in axes])
        self._limits = np.array([axis.software_limits for axis in axes])
        self._velocity = np.array([axis.max_velocity for axis in axes])
        self._acceleration = np.array([axis.max_acceleration for axis in axes])
        self._beyond = np.array([BEYOND[axis.kind] for axis in axes])
        self._drift = np.array([DRIFT[axis.kind] for axis in axes])
        self._tips = Tips(self.cell)
        self._pending: deque[_Period] = deque(maxlen=1000)
        self.restart()

    def restart(self) -> None:
        """Begin with a cell that has just come up."""
        self.violations: list[str] = []
        self.periods = 0
        self.fastest_tip_m_s = 0.0
        self._tip_speeds = np.full(len(self._tips.names), TIP_SPEED_M_S)
        self._grace = np.zeros(len(self._tips.names))
        self._granted: dict[int | None, tuple[str, ...]] = {}
        self.forget()

    def forget(self) -> None:
        """What comes does not continue what was, as after a restored snapshot."""
        count = len(self.cell.axes)
        self._pending.clear()
        self._last: Command | None = None
        self._last_but_one: Command | None = None
        self._smooth = np.zeros(count, int)
        self._stopped_for = np.full(count, -1)
        self._settled = np.zeros(count, bool)
        self._ramping = np.zeros(count, bool)
        self._rest = np.full(count, np.nan)

    # The plant

    def start(self) -> None:
        """Open the plant."""
        self.plant.start()

    def close(self) -> None:
        """Close the plant."""
        self.plant.close()

    def step(self, command: Command) -> Measurement:
        """Pass a command on, and keep it."""
        before = self.plant.measure()
        after = self.plant.step(command)
        self._pending.append(_Period(before, command, after))
        return after

    def measure(self) -> Measurement:
        """What the plant measures."""
        return self.plant.measure()

    def save(self) -> bytes:
        """The plant's snapshot."""
        return self.plant.save()

    def restore(self, snapshot: bytes) -> None:
        """Back to a snapshot of the plant."""
        self.plant.restore(snapshot)
        self.forget()

    @property
    def command(self) -> Command:
        """The newest command that was judged."""
        assert self._last is not None
        return self._last

    # Judging

    def review(self, accepted: Iterable[AnyRequest] = (), happened: Iterable[AnyEvent] = ()) -> None:
        """Judge what has passed since the last review.

        Args:
            accepted: requests that were not refused in this time.
            happened: events of this time.
        """
        anchored = self._note_stops(happened)
        for request in accepted:
            self._note_request(request)
        while self._pending:
            self._judge(self._pending.popleft(), anchored)

    def _note_stops(self, happened: Iterable[AnyEvent]) -> Mask:
        """Remember what is stopped; returns the axes whose ramp may begin at the measurement."""
        anchored = np.zeros(len(self._names), bool)
        for event in happened:
            if isinstance(event, events.Stopped):
                mask = np.isin(self._names, event.axes)
                self._stopped_for[mask & (self._stopped_for < 0)] = 0
                if event.cause in ANCHORED_BY:
                    anchored |= mask
                    self._settled[mask] = False
            elif isinstance(event, events.GrantChanged):
                self._granted[event.tenure] = event.axes
                if event.change in ENDS_GRANT:
                    self._lower_tips(set(event.axes))
        self._ramping |= anchored
        return anchored

    def _note_request(self, request: AnyRequest) -> None:
        match request:
            case stopping.Reset():
                granted = self._granted[request.grant and request.grant.tenure]
                wanted = granted if request.robot is None else self.cell.get_robot(request.robot).axis_names
                mask = np.isin(self._names, wanted)
                self._stopped_for[mask], self._settled[mask], self._smooth[mask] = -1, False, -1
            case settings.SetTipSpeed():
                self._set_tip_speed(request.robot, request.speed_m_s)

    def _lower_tips(self, axes: set[str]) -> None:
        for robot in self.cell.robots:
            if axes & set(robot.axis_names):
                self._set_tip_speed(robot.name, TIP_SPEED_M_S)

    def _set_tip_speed(self, robot: str, speed_m_s: float) -> None:
        """A speed counts for the robot and those that are part of it."""
        axes = set(self.cell.get_robot(robot).axis_names)
        for other in self.cell.robots:
            if set(other.axis_names) <= axes:
                tip = self._tips.names.index(other.tip)
                if speed_m_s < self._tip_speeds[tip]:
                    self._grace[tip] = LOWERING_S
                self._tip_speeds[tip] = speed_m_s

    def _judge(self, period: _Period, anchored: Mask) -> None:
        self.periods += 1
        command = period.command
        if not self._judge_numbers(period):
            return
        last = self._last if self._last is not None else command
        servoed = (command.drives == Drive.SERVO) & (last.drives == Drive.SERVO)
        jumps = ~servoed | (anchored & ~np.isclose(command.q_desired, last.q_desired, rtol=0, atol=1e-12))
        self._judge_anchors(period, command.drives == Drive.SERVO, jumps)
        self._smooth = np.where(jumps, 0, self._smooth + 1)
        self._judge_positions(period)
        self._judge_rates(command, last)
        self._judge_tips(command, last)
        self._judge_stops(period, last)
        self._last_but_one, self._last = last, command

    def _judge_numbers(self, period: _Period) -> bool:
        command, measured = period.command, period.after
        arrays = (command.q_desired, command.v_desired, command.openings, command.torque_feedforward)
        finite = all(np.isfinite(array).all() for array in (*arrays, measured.q_measured, measured.v_measured))
        return finite or self._report(np.ones(1, bool), "a number that is not finite", period) or False

    def _judge_anchors(self, period: _Period, servoed: Mask, jumps: Mask) -> None:
        """Where set-points do not continue, they begin at the measurement."""
        step = self._velocity * self.period_s
        far = np.abs(period.command.q_desired - period.before.q_measured) > 2 * step
        self._report(jumps & servoed & far, "a set-point that begins away from the measurement", period)

    def _judge_positions(self, period: _Period) -> None:
        low, high = self._limits.T
        q, measured = period.command.q_desired, period.after.q_measured
        servoed = period.command.drives == Drive.SERVO
        # An axis that stands outside may be held there, and led back.
        start = period.before.q_measured
        low, high = np.minimum(low, start), np.maximum(high, start)
        self._report(servoed & ((q < low - ROUNDING) | (q > high + ROUNDING)), "a set-point outside the limits", period)
        low, high = self._limits.T
        outside = (measured < low - self._beyond) | (measured > high + self._beyond)
        self._report(servoed & outside, "an axis outside its limits", period)

    def _judge_rates(self, command: Command, last: Command) -> None:
        """First differences need one period without a jump, second differences two."""
        dt, smooth = self.period_s, self._smooth
        speed = np.abs(command.q_desired - last.q_desired) / dt
        self._report((smooth > 0) & (speed > SHARE * self._velocity + 1e-6), "too fast", speed / self._velocity)
        change = np.abs(command.v_desired - last.v_desired) / dt
        # A ramp that begins at the measurement ends at a limit, if it has to.
        bound = np.where(
            self._ramping & self._is_at_limit(command.q_desired), np.inf, SHARE * self._acceleration + 1e-6
        )
        self._report((smooth > 0) & (change > bound), "speed changes too fast", change / self._acceleration)
        if self._last_but_one is not None:
            bend = np.abs(command.q_desired - 2 * last.q_desired + self._last_but_one.q_desired) / dt**2
            self._report((smooth > 1) & (bend > bound), "accelerates too hard", bend / self._acceleration)

    def _is_at_limit(self, q: Array) -> Mask:
        return np.abs(self._limits - q[:, None]).min(axis=1) < ROUNDING

    def _judge_tips(self, command: Command, last: Command) -> None:
        # A ramp that begins at the measurement has the measured speed, which nobody commanded.
        counted = (self._smooth > 0) & ~self._ramping
        before = np.where(counted, last.q_desired, command.q_desired)
        if (before == command.q_desired).all():
            self._grace = np.maximum(self._grace - self.period_s, 0.0)
            return
        way = self._tips.locate(command.q_desired) - self._tips.locate(before)
        speeds = np.linalg.norm(way, axis=1) / self.period_s
        self.fastest_tip_m_s = max(self.fastest_tip_m_s, float(speeds.max()))
        fast = (speeds > SHARE * self._tip_speeds) & (self._grace <= 0.0)
        if fast.any():
            tip = int(np.argmax(fast))
            self._note(f"tip {self._tips.names[tip]} at {speeds[tip]:.4f} m/s, limit {self._tip_speeds[tip]:.4f} m/s")
        self._grace = np.maximum(self._grace - self.period_s, 0.0)

    def _judge_stops(self, period: _Period, last: Command) -> None:
        command, stopped = period.command, self._stopped_for >= 0
        still = (command.q_desired == last.q_desired) & (command.v_desired == 0.0)
        self._report(stopped & self._settled & ~still, "a stopped axis gets new set-points", period)
        switched = (last.drives == Drive.OFF) & (command.drives != Drive.OFF)
        self._report((self._stopped_for > 0) & switched, "a stopped axis is switched on", period)
        self._stopped_for[stopped] += 1
        late = stopped & ~self._settled & ~still & (self._stopped_for * self.period_s > RAMP_S)
        self._report(late, f"still not at rest {RAMP_S} s after a stop", period)
        self._settled |= stopped & still
        self._ramping &= stopped & ~self._settled
        self._judge_rest(period, stopped & self._settled)

    def _judge_rest(self, period: _Period, resting: Mask) -> None:
        """What stands must stay; drives that are free by hand excepted."""
        resting = resting & (self._stopped_for * self.period_s > RAMP_S + SETTLE_S)
        resting &= period.command.drives != Drive.FREE
        measured = period.after.q_measured
        self._rest = np.where(resting, np.where(np.isnan(self._rest), measured, self._rest), np.nan)
        moved = resting & (np.abs(measured - self._rest) > self._drift)
        self._report(moved, "a stopped axis moves", period)

    # Telling

    def _report(self, wrong: Mask, what: str, about: _Period | Array) -> None:
        if not wrong.any():
            return
        axis = int(np.argmax(wrong))
        if isinstance(about, _Period):
            said = (
                f"set-point {about.command.q_desired[axis % len(self._names)]:.6f}, "
                f"measured {about.after.q_measured[axis % len(self._names)]:.6f}"
            )
        else:
            said = f"{about[axis]:.4f} of the limit"
        self._note(f"{self._names[axis]}: {what}, {said}")

    def _note(self, text: str) -> None:
        if len(self.violations) < KEPT:
            tick = self.plant.measure().tick
            self.violations.append(f"tick {tick}: {text}")
