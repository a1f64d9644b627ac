"""A controller that follows a running one from outside, and answers the same questions in the same way."""

from __future__ import annotations

import numpy as np

from telecell.contract import Measurement
from telecell.control import Controller
from telecell.kinematics.placements import to_pose
from telecell.messages import AnyReply, CellSetup, CellState, Query
from telecell.models import Cell

DEFAULT_PERIOD_S = 0.004


class Mirror:
    """What a cell has published, put back into a controller that moves nothing.

    Args:
        cell: the description; the same as that of the running cell.
    """

    def __init__(self, cell: Cell):
        self._cell = cell
        self._controller = Controller(cell, DEFAULT_PERIOD_S, Measurement.resting(cell, np.array(cell.start)))

    def follow_state(self, state: CellState) -> None:
        """Be where the cell is."""
        core = self._controller
        core.measured = _read_measurement(self._cell, state)
        core.axes.q_desired[:] = [axis.q_desired for axis in state.axes]
        core.outputs[:] = [state.signals[signal.name] for signal in self._cell.outputs]

    def follow_setup(self, setup: CellSetup) -> None:
        """Have what holders have set."""
        core = self._controller
        core.period_s = setup.period_s
        core.user_frames = {name: to_pose(placement) for name, placement in setup.user_frames.items()}
        for name, robot in setup.robots.items():
            arm = core.arms[name]
            arm.tool = to_pose(robot.tool)
            arm.branch = dict(robot.branch)
            arm.saved_poses = dict(robot.poses)

    def answer(self, query: Query) -> AnyReply:
        """As the cell itself would."""
        return self._controller.handle(query)  # pyright: ignore[reportArgumentType]


def _read_measurement(cell: Cell, state: CellState) -> Measurement:
    return Measurement(
        tick=state.tick,
        q_measured=np.array([axis.q_measured for axis in state.axes]),
        v_measured=np.array([axis.v_measured for axis in state.axes]),
        torque=np.array([axis.torque for axis in state.axes]),
        openings=np.array([tool.opening for tool in state.tools]),
        beams=np.array([state.signals[beam.name] for beam in cell.beams], dtype=bool),
        wrenches=np.array([(*sensor.force_N, *sensor.torque_Nm) for sensor in state.forces]).reshape(-1, 6),
        parts=np.array([(*part.position_m, *part.quaternion_wxyz) for part in state.parts]).reshape(-1, 7),
        powered=np.array([axis.powered for axis in state.axes], dtype=bool),
        inputs=np.array([state.signals[signal.name] for signal in cell.inputs], dtype=bool),
    )
