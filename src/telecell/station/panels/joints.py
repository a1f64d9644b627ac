"""Sliders that send the axes of the chosen robot to positions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import viser

from telecell.clock import Clock
from telecell.models import Axis, Robot
from telecell.station.commander import Commander
from telecell.station.panels.panel import Later
from telecell.station.panels.titles import write_titles
from telecell.station.state import StationState
from telecell.station.units import STEPS, compute_slider_limits, from_shown, to_slider

GRACE_S = 1.0
"""How long a slider stays where its person left it although the axis does not move: the request may be under way."""


@dataclass(slots=True)
class _Row:
    """One axis and its slider.

    Attributes:
        shown: the slider's value as far as the panel knows; it differs while a person's action is under way.
        wanted: where its person wants the axis, until it has got there.
        touched_s: when that was.
    """

    axis: Axis
    slider: viser.GuiSliderHandle[float]
    shown: float
    wanted: float | None = None
    touched_s: float = 0.0

    def put(self, shown: float) -> None:
        """Move the slider."""
        self.shown = shown
        self.slider.value = shown


class JointsPanel:
    """One slider per axis of the cell; those of the chosen robot are visible.

    A slider shows where the axis should be. While its person moves it, and until the axis has arrived, it stays where
    it was put; otherwise it follows the set-points, whoever gives them.

    Attributes:
        sliders: by axis.
    """

    period_s = 0.1

    def __init__(self, gui: viser.GuiApi, state: StationState, commander: Commander, later: Later, clock: Clock):
        self._state = state
        self._commander = commander
        self._clock = clock
        self._shown: Robot | None = None
        with gui.add_folder("Joints", visible=bool(state.cell.axes)):
            starts = zip(state.cell.axes, state.cell.start, strict=True)
            self.sliders = {axis.name: _add_slider(gui, axis, start) for axis, start in starts}
        self._rows = {
            axis.name: _Row(axis, self.sliders[axis.name], self.sliders[axis.name].value) for axis in state.cell.axes
        }
        for row in self._rows.values():
            self._connect(row, later)

    def _connect(self, row: _Row, later: Later) -> None:
        @row.slider.on_update
        async def _(event: viser.GuiEvent) -> None:
            if event.client_id is not None:  # a person, not this panel itself
                later(self.move, row.axis.name, event.target.value, event.client_id)

    def move(self, axis: str, shown: float, client_id: int) -> None:
        """A person has put the slider of an axis somewhere (degrees or mm)."""
        row = self._rows[axis]
        if not math.isfinite(shown):  # the browser may send anything
            row.put(row.shown)
            return
        target = from_shown(row.axis, shown)
        row.shown = shown
        row.wanted = to_slider(row.axis, target)
        row.touched_s = self._clock.now()
        if abs(row.wanted - shown) > STEPS[row.axis.kind] / 2:
            row.put(row.wanted)
        self._commander.move_axes({row.axis.name: target}, client_id)

    def update(self, now_s: float) -> None:
        """Follow the choice of the robot and the set-points."""
        robot = self._state.robot
        if robot is not self._shown:
            self._show(robot)
        if robot is None:
            return
        state = self._state.get_robot(robot.name)
        for axis in robot.axes:
            reported = self._state.get_axis(axis.name)
            if reported is not None and state is not None:
                self._follow(self._rows[axis.name], reported.q_desired, state.moving, now_s)

    def _follow(self, row: _Row, q_desired: float, moving: bool, now_s: float) -> None:
        if row.slider.value != row.shown:
            return
        shown = to_slider(row.axis, q_desired)
        given_up = not moving and now_s - row.touched_s > GRACE_S
        if row.wanted is None or row.wanted == shown or given_up:
            row.wanted = None
            row.put(shown)

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
