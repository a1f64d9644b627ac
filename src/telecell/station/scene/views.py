"""Where the camera stands for the named views."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import viser
from numpy.typing import NDArray

from telecell.plant.cameras import VIEWS

Array = NDArray[np.float64]

FIELD_OF_VIEW_RAD = float(np.radians(40))
MARGIN = 1.08
VIEW_NAMES = tuple(VIEWS)


@dataclass(frozen=True, slots=True)
class View:
    """A camera position and the point it looks at, in the world (m)."""

    position: Array
    look_at: Array


def fit_view(name: str, corners: Array, aspect: float) -> View:
    """The named view from just far enough away to see all corners (n x 3, world) in a picture of that aspect ratio.

    Where there is nothing to see, the camera looks at the origin.
    """
    corners = corners if len(corners) else np.array([[-0.5] * 3, [0.5] * 3])
    azimuth, elevation = np.radians(VIEWS[name])
    forward = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    up = np.cross(right, forward)
    centre = (corners.min(axis=0) + corners.max(axis=0)) / 2
    tangent = np.tan(FIELD_OF_VIEW_RAD / 2)
    outwards = corners - centre
    across = np.maximum(np.abs(outwards @ right) / (aspect * tangent), np.abs(outwards @ up) / tangent)
    distance = float((MARGIN * across - outwards @ forward).max())
    return View(centre - distance * forward, centre)


def look(camera: viser.CameraHandle | viser.InitialCameraConfig, view: View) -> None:
    """Point a person's camera, or the one that new persons start with."""
    camera.fov = FIELD_OF_VIEW_RAD
    camera.position = view.position
    camera.look_at = view.look_at
