"""From controller and measurement to the state that the world is told."""

from __future__ import annotations

from telecell.contract import Measurement
from telecell.control import Controller
from telecell.geometry import Pose
from telecell.kinematics.placements import to_placement
from telecell.kinematics.posture import Posture
from telecell.messages import (
    VERSION,
    AxisState,
    CellSetup,
    CellState,
    ForceState,
    FrameState,
    LoopState,
    RobotSetup,
    RobotState,
    ToolState,
)
from telecell.models import Cell, Robot


class Reporter:
    """Writes the state of a cell, tick by tick.

    Args:
        cell: the description.
        posture: set anew by every report.
    """

    def __init__(self, cell: Cell, posture: Posture):
        self._cell = cell
        self._posture = posture
        ends = [frame for robot in cell.robots for frame in (robot.base, robot.tip)]
        self._frames = list(dict.fromkeys([*ends, *(tool.tip for tool in cell.tools)]))

    def report(self, core: Controller, measured: Measurement, loop: LoopState) -> CellState:
        """Everything about the cell at this tick."""
        self._posture.set(measured.q_measured, measured.openings, measured.parts)
        return CellState(
            version=VERSION,
            cell=self._cell.name,
            tick=measured.tick,
            time_s=measured.tick * core.period_s,
            epoch=core.grants.epoch,
            grants=core.report_grants(),
            waiting=tuple([waiter.holder for waiter in core.grants.waiting]),
            axes=self._report_axes(core, measured),
            robots=tuple([self._report_robot(core, robot) for robot in self._cell.robots]),
            tools=self._report_tools(core, measured),
            signals=core.read_signals(),
            forces=tuple(
                [
                    ForceState(sensor.name, tuple(row[:3]), tuple(row[3:]))
                    for sensor, row in zip(self._cell.force_sensors, measured.wrenches.tolist(), strict=True)
                ]
            ),
            frames=tuple([FrameState(name, *_plain(self._posture.get_frame(name))) for name in self._frames]),
            parts=tuple(
                [
                    FrameState(name, tuple(row[:3]), tuple(row[3:]))
                    for name, row in zip(self._cell.parts, measured.parts.tolist(), strict=True)
                ]
            ),
            loop=loop,
        )

    def _report_axes(self, core: Controller, measured: Measurement) -> tuple[AxisState, ...]:
        rows = zip(
            core.axes.names,
            measured.q_measured.tolist(),
            measured.v_measured.tolist(),
            core.axes.q_desired.tolist(),
            measured.torque.tolist(),
            core.axes.powered.tolist(),
            core.axes.latches,
            strict=True,
        )
        return tuple([AxisState(*row) for row in rows])

    def _report_robot(self, core: Controller, robot: Robot) -> RobotState:
        tip = self._posture.get_frame(robot.base).inverse() @ self._posture.get_frame(robot.tip)
        arm = core.arms[robot.name]
        segments = arm.motion.timeline.segments
        numbers = [segment.number for segment in segments if segment.number]
        held = core.grants.find_covering(arm.mask)
        return RobotState(
            robot.name,
            *_plain(tip),
            mode=core.modes[robot.name].value,
            segment=numbers[0] if numbers else None,
            queued=len(numbers),
            rate=arm.motion.rate.state.rate,
            speed_factor=arm.speed_factor,
            tip_speed_m_s=core.tip_guard.get_speed(arm),
            holder=held.holder if held else None,
        )

    def _report_tools(self, core: Controller, measured: Measurement) -> tuple[ToolState, ...]:
        rows = zip(self._cell.tools, measured.openings.tolist(), core.openings.tolist(), strict=True)
        return tuple([ToolState(tool.name, *values) for tool, *values in rows])


def _plain(pose: Pose):
    return tuple(pose.position.tolist()), tuple(pose.quaternion().tolist())


def report_setup(core: Controller) -> CellSetup:
    """What holders have set."""
    return CellSetup(
        version=VERSION,
        cell=core.cell.name,
        number=core.setup_number,
        period_s=core.period_s,
        robots={
            name: RobotSetup(to_placement(arm.tool), dict(arm.branch), dict(arm.saved_poses))
            for name, arm in core.arms.items()
        },
        user_frames={name: to_placement(pose) for name, pose in core.user_frames.items()},
    )
