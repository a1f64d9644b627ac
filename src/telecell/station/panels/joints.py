"""Sliders that move the axes of the chosen robot."""

from __future__ import annotations

import math

import viser

from telecell.clock import Clock
from telecell.models import Axis, Robot
from telecell.station.panels.following_input import FollowingInput
from telecell.station.panels.panel import Later
from telecell.station.panels.titles import write_titles
from telecell.station.state import StationState
from telecell.station.streams import Streams
from telecell.station.units import STEPS, compute_slider_limits, from_shown, to_slider


class JointsPanel:
    """One slider per axis of the cell; those of the chosen robot are visible.

    A slider shows where the axis should be. While its person moves it, and until the axis has arrived, it stays where
    it was put; otherwise it follows the set-points, whoever gives them.

    Attributes:
        sliders: by axis.
    """

    period_s = 0.1

    def __init__(self, gui: viser.GuiApi, state: StationState, streams: Streams, later: Later, clock: Clock):
        self._state = state
        self._streams = streams
        self._clock = clock
        self._shown: Robot | None = None
        with gui.add_folder("Joints", visible=bool(state.cell.axes)):
            starts = zip(state.cell.axes, state.cell.start, strict=True)
            self.sliders = {axis.name: _add_slider(gui, axis, start) for axis, start in starts}
        self._rows = {name: FollowingInput(slider) for name, slider in self.sliders.items()}
        for axis in state.cell.axes:
            self._connect(axis, later)

    def _connect(self, axis: Axis, later: Later) -> None:
        @self.sliders[axis.name].on_update
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:  # a person, not this panel itself
                later(self.move, axis, event.target.value, event.client_id)

    def move(self, axis: Axis, shown: float, client_id: int) -> None:
        """A person has put the slider of an axis somewhere (degrees or mm)."""
        row, robot = self._rows[axis.name], self._state.robot
        if robot is None or axis.name not in robot.axis_names or not math.isfinite(shown):
            row.put(row.shown)  # the browser may send anything
            return
        target = from_shown(axis, shown)
        row.touch(shown, to_slider(axis, target))
        self._streams.move(robot, axis.name, target, client_id, self._clock.now())

    def update(self, now_s: float) -> None:  # noqa: ARG002
        """Follow the choice of the robot and the set-points."""
        robot = self._state.robot
        if robot is not self._shown:
            self._show(robot)
        if robot is None:
            return
        busy = self._streams.is_active(robot.name)
        for axis in robot.axes:
            reported = self._state.get_axis(axis.name)
            if reported is not None:
                self._rows[axis.name].follow(to_slider(axis, reported.q_desired), busy=busy)

    def _show(self, robot: Robot | None) -> None:
        self._shown = robot
        axes = robot.axes if robot else ()
        for slider in self.sliders.values():
            slider.visible = False
        for order, (axis, title) in enumerate(zip(axes, write_titles(axes), strict=True)):
            slider = self.sliders[axis.name]
            slider.label = title if axis.kind == "hinge" else f"{title}, mm"
            slider.order, slider.visible = order, True


def _add_slider(gui: viser.GuiApi, axis: Axis, start: float) -> viser.GuiSliderHandle[float]:
    low, high = compute_slider_limits(axis)
    return gui.add_slider(
        axis.title,
        low,
        high,
        STEPS[axis.kind],
        to_slider(axis, start),
        visible=False,
    )
