"""States and the ways between them, drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

USUAL_COURSE = (0.12, 0.5)
SIZE = (1.0, 0.34)
ORDINARY, ENDING, BOX = "#1f5fa8", "#b3261e", "#f2f5f9"

Point = tuple[float, float]


class Way(NamedTuple):
    """One way from a state to another; red where `ends` says so, on a course of its own where one is given."""

    start: str
    by: str
    end: str
    ends: bool = False
    course: Point | None = None


@dataclass(frozen=True)
class Diagram:
    """How states are laid out.

    Attributes:
        places: of the states.
        courses: bend of a way, and where its label sits (0 at its start, 1 at its end), where the usual would not do.
        ending: states that are drawn in red, with the ways to them.
    """

    places: dict[str, Point]
    courses: dict[tuple[str, str], Point]
    ending: set[str]

    def draw(self, ways: Iterable[Way], *, size: Point, x: Point, y: Point) -> Figure:
        """The picture, so large, with so much around the states."""
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.set_xlim(*x)
        ax.set_ylim(*y)
        boxes = {state: self._draw_state(ax, state) for state in self.places}
        for way in ways:
            self._draw_way(ax, way, boxes)
        return figure

    def _draw_state(self, ax: Axes, state: str) -> FancyBboxPatch:
        x, y = self.places[state]
        corner = x - SIZE[0] / 2, y - SIZE[1] / 2
        colour = ENDING if state in self.ending else ORDINARY
        box = FancyBboxPatch(corner, *SIZE, boxstyle="round,pad=0.05", facecolor=BOX, edgecolor=colour, linewidth=1.4)
        ax.add_patch(box)
        ax.text(x, y, state, ha="center", va="center", fontsize=11)
        return box

    def _draw_way(self, ax: Axes, way: Way, boxes: dict[str, FancyBboxPatch]) -> None:
        bend, share = way.course or self.courses.get((way.start, way.end), USUAL_COURSE)
        start, end = np.array(self.places[way.start]), np.array(self.places[way.end])
        colour = ENDING if way.ends or way.end in self.ending else ORDINARY
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
