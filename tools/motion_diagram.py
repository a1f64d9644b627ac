"""The modes of a robot and the ways between them, drawn from the table."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from telecell.control.modes import TRANSITIONS, Mode, Transition

PLACES = {
    Mode.OFF: (0.0, 2.0),
    Mode.HOLDING: (4.0, 2.0),
    Mode.FREE: (2.0, 0.0),
    Mode.MOVING: (6.0, 4.0),
    Mode.TRACKING: (6.0, 0.0),
    Mode.STOPPING: (8.0, 2.0),
    Mode.STOPPED: (2.0, 4.0),
}
ORDINARY, ENDING, BOX = "#1f5fa8", "#b3261e", "#f2f5f9"


def draw_modes() -> Figure:
    """The diagram: blue where somebody asked for it in the ordinary way, red where motion is ended."""
    figure, ax = plt.subplots(figsize=(9.0, 6.0), layout="constrained")
    ax.set_axis_off()
    for transition in TRANSITIONS:
        _draw_way(ax, transition)
    for mode, place in PLACES.items():
        colour = ENDING if mode in (Mode.STOPPING, Mode.STOPPED) else ORDINARY
        box = {"boxstyle": "round,pad=0.5", "facecolor": BOX, "edgecolor": colour, "linewidth": 1.4}
        ax.text(*place, mode.value, ha="center", va="center", fontsize=11, bbox=box, zorder=4)
    ax.set_xlim(-0.8, 8.8)
    ax.set_ylim(-0.7, 4.7)
    return figure


def _draw_way(ax: Axes, way: Transition) -> None:
    colour = ENDING if way.end in (Mode.STOPPING, Mode.STOPPED) else ORDINARY
    (x0, y0), (x1, y1) = PLACES[way.start], PLACES[way.end]
    bend = 0.12
    arrow = FancyArrowPatch(
        (x0, y0),
        (x1, y1),
        connectionstyle=f"arc3,rad={bend}",
        arrowstyle="-|>",
        mutation_scale=12,
        shrinkA=26,
        shrinkB=26,
        color=colour,
        linewidth=1.1,
    )
    ax.add_patch(arrow)
    # The middle of the quadratic curve that arc3 draws.
    middle = (x0 + x1) / 2 + bend * (y1 - y0) / 2, (y0 + y1) / 2 - bend * (x1 - x0) / 2
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    ax.text(*middle, way.by, ha="center", va="center", fontsize=8, color=colour, bbox=box, zorder=3)
