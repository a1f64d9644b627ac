"""Where the camera stands for the named views."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import viser
from numpy.typing import NDArray

from telecell.kinematics.posture import Posture
from telecell.plant.cameras import VIEWS, compute_extent

FIELD_OF_VIEW_RAD = np.radians(40)
FILL = 0.85
"""The cell's sphere may be a little larger than the picture: its corners are empty."""


@dataclass(frozen=True, slots=True)
class View:
    """A camera position and the point it looks at, in the world (m)."""

    position: NDArray[np.float64]
    look_at: NDArray[np.float64]


def build_views(posture: Posture) -> dict[str, View]:
    """The standard views, from far enough away to see the whole cell."""
    centre, radius = compute_extent(posture.model, posture.data)
    distance = FILL * radius / np.sin(FIELD_OF_VIEW_RAD / 2)
    return {
        name: View(centre - distance * _compute_line_of_sight(*np.radians(angles)), centre)
        for name, angles in VIEWS.items()
    }


def _compute_line_of_sight(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """The direction in which a camera looks, by MuJoCo's angles."""
    return np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])


def look(camera: viser.CameraHandle | viser.InitialCameraConfig, view: View) -> None:
    """Point a person's camera, or the one that new persons start with."""
    camera.fov = float(FIELD_OF_VIEW_RAD)
    camera.position = view.position
    camera.look_at = view.look_at
