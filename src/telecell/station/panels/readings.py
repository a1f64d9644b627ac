"""What the encoders and drives of the chosen robot say."""

from __future__ import annotations

import math

import viser

from telecell.messages import AxisState, RobotState
from telecell.models import Axis
from telecell.station.panels.table import Row, write_table
from telecell.station.state import StationState
from telecell.station.units import write


class ReadingsPanel:
    """Measured position and torque per axis, and where the tip is."""

    period_s = 0.25

    def __init__(self, gui: viser.GuiApi, state: StationState):
        self._state = state
        with gui.add_folder("Measured"):
            self._text = gui.add_html("")

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Show the newest readings."""
        robot = self._state.robot
        state = self._state.get_robot(robot.name) if robot else None
        if robot is None or state is None:
            return
        rows = [
            _write_axis(number, axis, reported)
            for number, axis in enumerate(robot.axes, start=1)
            if (reported := self._state.get_axis(axis.name)) is not None
        ]
        self._text.content = write_table([*rows, *_write_tip(state)])


def _write_axis(number: int, axis: Axis, state: AxisState) -> Row:
    unit = "N·m" if axis.kind == "hinge" else "N"
    torque = f"{round(state.torque) + 0:d} {unit}".replace("-", "−")
    return Row(f"{number} {axis.title}", write(axis, state.q_measured), torque, key=axis.name)


def _write_tip(state: RobotState) -> list[Row]:
    place = "  ".join(f"{1000 * value:.0f}" for value in state.position_m).replace("-", "−")
    w, x, y, z = state.quaternion_wxyz
    tilt = math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y)))))
    del w, z
    return [Row("Tip x y z", f"{place} mm", f"tilt {tilt:.0f}°", key="tip")]
