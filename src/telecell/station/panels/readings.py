"""What the encoders and drives of the chosen robot say."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import viser

from telecell.geometry import Pose
from telecell.messages import AxisState, RobotState
from telecell.models import Axis
from telecell.station.panels.table import Row, write_table
from telecell.station.panels.titles import write_titles
from telecell.station.state import StationState
from telecell.station.units import write, write_number


class ReadingsPanel:
    """Measured position and torque per axis, and where the tip is.

    Attributes:
        text: what is shown.
    """

    period_s = 0.25

    def __init__(self, gui: viser.GuiApi, state: StationState):
        self._state = state
        with gui.add_folder("Measured", visible=state.robot is not None):
            self.text = gui.add_html("")

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest readings."""
        robot = self._state.robot
        state = self._state.get_robot(robot.name) if robot else None
        if robot is None or state is None:
            return
        rows = [
            _write_axis(title, axis, reported)
            for title, axis in zip(write_titles(robot.axes), robot.axes, strict=True)
            if (reported := self._state.get_axis(axis.name)) is not None
        ]
        self.text.content = write_table([*rows, *_write_tip(state)])


def _write_axis(title: str, axis: Axis, state: AxisState) -> Row:
    torque = f"{write_number(state.torque)} {'N·m' if axis.kind == 'hinge' else 'N'}"
    return Row(axis.name, title, write(axis, state.q_measured), torque)


def _write_tip(state: RobotState) -> list[Row]:
    pose = Pose.from_quaternion(state.position_m, state.quaternion_wxyz)
    return [
        Row("tip_position", "Tip x, y, z", _join(1000 * pose.position), "mm"),
        Row("tip_rotation", "Tip roll, pitch, yaw", _join(np.degrees(pose.rpy())), "°"),
    ]


def _join(values: Iterable[float]) -> str:
    return ", ".join(write_number(value) for value in values)
