"""What is around the cell: floor, light and background."""

from __future__ import annotations

import numpy as np
import viser
from numpy.typing import NDArray

from telecell.models.drawing import BodyDrawing, Shape

SKY = ((228, 237, 246), (250, 252, 254))
"""Colours at the top and at the bottom of the background."""

SUN_M = (1.5, -2.5, 6.0)
FILL_M = (-3.0, 3.0, 2.5)
"""Where the lights stand; they shine towards the origin."""

FADE_DISTANCE_M = 9.0


def add_surroundings(scene: viser.SceneApi, drawings: tuple[BodyDrawing, ...]) -> None:
    """Light the scene, put a calm sky behind it, and draw the planes of the world as floors."""
    scene.set_background_image(build_sky(), format="png")
    scene.configure_default_lights(enabled=False)
    scene.configure_environment_map("studio", environment_intensity=0.25)
    scene.add_light_directional("/lights/sun", position=SUN_M, intensity=1.2, cast_shadow=True)
    scene.add_light_directional("/lights/fill", position=FILL_M, intensity=0.35)
    planes = [shape for body in drawings for shape in body.shapes if shape.kind == "plane"]
    for index, plane in enumerate(planes):
        _add_floor(scene, f"/floor/{index}", plane)


def build_sky(height: int = 256) -> NDArray[np.uint8]:
    """A vertical gradient."""
    top, bottom = (np.array(colour, float) for colour in SKY)
    share = np.linspace(0, 1, height)[:, None, None]
    return np.repeat(top + share * (bottom - top), 2, axis=1).round().astype(np.uint8)


def _add_floor(scene: viser.SceneApi, name: str, plane: Shape) -> None:
    red, green, blue, _ = plane.rgba
    scene.add_grid(
        name,
        width=2 * plane.size[0] or FADE_DISTANCE_M,
        height=2 * plane.size[1] or FADE_DISTANCE_M,
        plane_color=(red, green, blue),
        plane_opacity=1.0,
        cell_size=0.5,
        section_size=1.0,
        cell_thickness=0.6,
        section_thickness=0.9,
        cell_color=(205, 209, 214),
        section_color=(188, 193, 200),
        shadow_opacity=0.22,
        fade_distance=FADE_DISTANCE_M,
        fade_strength=1.2,
        fade_from="origin",
        position=plane.position,
        wxyz=plane.quaternion_wxyz,
    )
