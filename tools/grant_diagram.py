"""The right to an axis and the ways in which it changes, drawn from the table."""

from __future__ import annotations

from itertools import groupby

from matplotlib.figure import Figure
from state_diagram import Diagram, Way

from telecell.control.changes import CHANGES

PLACES = {"free": (0.0, 0.0), "held": (5.0, 0.0), "reserved": (2.5, -2.2)}
COURSES = {
    ("held", "free", False): (0.14, 0.5),
    ("held", "free", True): (0.36, 0.5),
    ("free", "held", False): (0.05, 0.5),
    ("held", "reserved", True): (0.12, 0.6),
    ("reserved", "held", False): (0.12, 0.4),
}


def draw_grants() -> Figure:
    """The diagram; ways on which motion is stopped are red."""
    found = sorted((*way, row.motion == "stop", name) for name, row in CHANGES.items() for way in row.ways)
    ways = [
        Way(start, ", ".join(name.replace("_", " ") for *_, name in rows), end, stops, COURSES.get((start, end, stops)))
        for (start, end, stops), rows in groupby(found, key=lambda entry: entry[:3])
    ]
    return Diagram(places=PLACES, courses={}, ending=set()).draw(ways, size=(7.0, 3.6), x=(-0.8, 5.8), y=(-2.6, 1.3))
