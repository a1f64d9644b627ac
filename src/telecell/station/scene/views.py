"""A person's camera, brought to a standard view."""

from __future__ import annotations

import numpy as np
import viser

from telecell.geometry import View

FIELD_OF_VIEW_RAD = float(np.radians(40))


def look(camera: viser.CameraHandle | viser.InitialCameraConfig, view: View) -> None:
    """Point a person's camera, or the one that new persons start with."""
    camera.fov = FIELD_OF_VIEW_RAD
    camera.position = view.position
    camera.look_at = view.look_at
