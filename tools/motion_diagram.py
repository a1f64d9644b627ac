"""The modes of a robot and the ways between them, drawn from the table."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from telecell.control.modes import TRANSITIONS, Mode, Transition

PLACES = {
    Mode.OFF: (0.0, 2.0),
    Mode.FREE: (3.2, 4.3),
    Mode.HOLDING: (3.2, 2.0),
    Mode.MOVING: (6.4, 3.5),
    Mode.TRACKING: (6.4, 0.5),
    Mode.STOPPING: (9.6, 2.0),
    Mode.STOPPED: (4.0, -1.5),
}
COURSES = {
    (Mode.FREE, Mode.STOPPED): (0.46, 0.3),
    (Mode.FREE, Mode.STOPPING): (-0.3, 0.5),
    (Mode.FREE, Mode.OFF): (0.1, 0.5),
    (Mode.FREE, Mode.HOLDING): (0.25, 0.6),
    (Mode.HOLDING, Mode.FREE): (0.25, 0.6),
    (Mode.HOLDING, Mode.STOPPED): (0.05, 0.5),
    (Mode.STOPPED, Mode.HOLDING): (0.25, 0.45),
    (Mode.TRACKING, Mode.STOPPING): (0.0, 0.42),
    (Mode.OFF, Mode.STOPPED): (0.3, 0.45),
    (Mode.STOPPED, Mode.OFF): (-0.05, 0.5),
    (Mode.STOPPING, Mode.STOPPED): (-0.33, 0.5),
    (Mode.MOVING, Mode.STOPPED): (0.0, 0.72),
    (Mode.TRACKING, Mode.STOPPED): (-0.1, 0.45),
    (Mode.HOLDING, Mode.STOPPING): (-0.07, 0.6),
    (Mode.STOPPING, Mode.HOLDING): (-0.07, 0.4),
}
"""Bend of a way, and where its label sits (0 at its start, 1 at its end), where the usual ones would cross others."""

USUAL_COURSE = (0.12, 0.5)
SIZE = (1.0, 0.34)
ORDINARY, ENDING, BOX = "#1f5fa8", "#b3261e", "#f2f5f9"


def draw_modes() -> Figure:
    """The diagram; ways that end motion are red."""
    figure, ax = plt.subplots(figsize=(9.0, 5.8), layout="constrained")
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(-0.6, 10.3)
    ax.set_ylim(-1.9, 5.1)
    boxes = {mode: _draw_mode(ax, mode) for mode in PLACES}
    for way in TRANSITIONS:
        _draw_way(ax, way, boxes)
    return figure


def _draw_mode(ax: Axes, mode: Mode) -> FancyBboxPatch:
    x, y = PLACES[mode]
    corner = x - SIZE[0] / 2, y - SIZE[1] / 2
    box = FancyBboxPatch(
        corner, *SIZE, boxstyle="round,pad=0.05", facecolor=BOX, edgecolor=_choose_colour(mode), linewidth=1.4
    )
    ax.add_patch(box)
    ax.text(x, y, mode.value, ha="center", va="center", fontsize=11)
    return box


def _choose_colour(end: Mode) -> str:
    return ENDING if end in (Mode.STOPPING, Mode.STOPPED) else ORDINARY


def _draw_way(ax: Axes, way: Transition, boxes: dict[Mode, FancyBboxPatch]) -> None:
    bend, share = COURSES.get((way.start, way.end), USUAL_COURSE)
    start, end = np.array(PLACES[way.start]), np.array(PLACES[way.end])
    colour = _choose_colour(way.end)
    arrow = FancyArrowPatch(
        tuple(start),
        tuple(end),
        connectionstyle=f"arc3,rad={bend}",
        arrowstyle="-|>",
        mutation_scale=12,
        patchA=boxes[way.start],
        patchB=boxes[way.end],
        shrinkA=2,
        shrinkB=2,
        color=colour,
        linewidth=1.1,
    )
    ax.add_patch(arrow)
    # The quadratic curve that arc3 draws.
    knee = (start + end) / 2 + bend * np.array([end[1] - start[1], start[0] - end[0]])
    x, y = (1 - share) ** 2 * start + 2 * share * (1 - share) * knee + share**2 * end
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    ax.text(x, y, way.by, ha="center", va="center", fontsize=8, color=colour, bbox=box, zorder=3)
