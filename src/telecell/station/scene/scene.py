"""The live scene: the cell's bodies, frames and surroundings, in the newest posture."""

from __future__ import annotations

import viser

from telecell.geometry import View, fit_view
from telecell.kinematics.posture import Posture
from telecell.messages import CellState
from telecell.models import Cell
from telecell.models.drawing import build_drawing
from telecell.models.extent import find_corners
from telecell.station.scene.bodies import Bodies
from telecell.station.scene.frames import Frames
from telecell.station.scene.surroundings import add_surroundings
from telecell.station.scene.views import FIELD_OF_VIEW_RAD


class Scene:
    """The cell as it is seen.

    Args:
        scene: where to draw.
        cell: the description.

    Attributes:
        bodies: what can be touched.
        frames: what can be named.
        posture: where everything is.
    """

    def __init__(self, scene: viser.SceneApi, cell: Cell):
        self.posture = Posture(cell)
        drawings = build_drawing(self.posture.model)
        add_surroundings(scene, drawings)
        self.bodies = Bodies(scene, self.posture, drawings)
        self.frames = Frames(scene, self.posture)

    def fit_view(self, name: str, aspect: float) -> View:
        """The named view from where the whole cell is seen, in a picture of that aspect ratio."""
        return fit_view(
            name, find_corners(self.posture.model, self.posture.data), fov_rad=FIELD_OF_VIEW_RAD, aspect=aspect
        )

    def update(self, state: CellState) -> None:
        """Show the cell as it has reported itself."""
        self.posture.set(
            [axis.q_measured for axis in state.axes],
            [tool.opening for tool in state.tools],
            [(*part.position_m, *part.quaternion_wxyz) for part in state.parts] or None,
        )
        self.bodies.update()
        self.frames.update()
