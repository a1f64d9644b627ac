"""Where a camera stands to show everything from a standard side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from telecell.geometry.arrays import FloatArray

VIEWS_DEG = {"iso": (140.0, -25.0), "front": (180.0, -8.0), "side": (90.0, -8.0), "top": (180.0, -89.9)}
"""Azimuth and elevation of the line of sight; a camera that looks along world +x has azimuth 0."""

MARGIN = 0.08
"""Share of the picture that stays empty on each side."""

_NOTHING = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class View:
    """A camera without roll: the point it looks at, from how far, and in which direction (world, m, deg)."""

    look_at: FloatArray
    distance_m: float
    azimuth_deg: float
    elevation_deg: float

    @property
    def position(self) -> FloatArray:
        """Where the camera stands."""
        return self.look_at - self.distance_m * _axes(self.azimuth_deg, self.elevation_deg)[2]


def fit_view(name: str, corners: FloatArray, *, fov_rad: float, aspect: float) -> View:
    """A standard view from just far enough away to see all corners, which are centred in the picture.

    Args:
        name: one of `VIEWS_DEG`.
        corners: n x 3 points in the world; where there are none, the origin is looked at.
        fov_rad: vertical field of view.
        aspect: width over height of the picture.
    """
    azimuth, elevation = VIEWS_DEG[name]
    axes = _axes(azimuth, elevation)
    points = corners if len(corners) else _NOTHING
    slopes = np.tan(fov_rad / 2) * (1 - MARGIN) * np.array([aspect, 1.0])
    look_at = (points.min(axis=0) + points.max(axis=0)) / 2
    distance = 1.0
    for _ in range(_ROUNDS):  # centring changes which corner is nearest, so that the two settle together
        seen = (points - look_at) @ axes.T
        distance = float((np.abs(seen[:, :2]) / slopes - seen[:, 2:]).max())
        picture = seen[:, :2] / (seen[:, 2:] + distance)
        look_at = look_at + (picture.min(axis=0) + picture.max(axis=0)) / 2 * distance @ axes[:2]
    seen = (points - look_at) @ axes.T
    return View(look_at, float((np.abs(seen[:, :2]) / slopes - seen[:, 2:]).max()), azimuth, elevation)


def _axes(azimuth_deg: float, elevation_deg: float) -> FloatArray:
    """Right, up and forward of a camera, in rows."""
    azimuth, elevation = np.radians([azimuth_deg, elevation_deg])
    forward = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    return np.array([right, np.cross(right, forward), forward])
