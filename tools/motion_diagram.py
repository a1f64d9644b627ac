"""The modes of a robot and the ways between them, drawn from the table."""

from __future__ import annotations

from matplotlib.figure import Figure
from state_diagram import Diagram, Way

from telecell.control.modes import TRANSITIONS, Mode

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


def draw_modes() -> Figure:
    """The diagram; ways that end motion are red."""
    diagram = Diagram(
        places={mode.value: place for mode, place in PLACES.items()},
        courses={(start.value, end.value): course for (start, end), course in COURSES.items()},
        ending={Mode.STOPPING.value, Mode.STOPPED.value},
    )
    ways = [Way(way.start.value, way.by, way.end.value) for way in TRANSITIONS]
    return diagram.draw(ways, size=(9.0, 5.8), x=(-0.6, 10.3), y=(-1.9, 5.1))
