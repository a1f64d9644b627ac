"""How heavy and how spread the moving bodies of a world are for their size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi, sqrt

import msgspec
import numpy as np

from telecell.geometry import FloatArray
from telecell.kinematics.posture import Posture
from telecell.models.drawing import BodyDrawing, Shape, build_drawing

SOLID_FRACTION = 0.01
"""A mesh that fills less of its bounding box is an open shell, and its volume means nothing."""

_VOLUMES: dict[str, Callable[[FloatArray], float]] = {
    "sphere": lambda half: 4 / 3 * pi * half[0] ** 3,
    "capsule": lambda half: pi * half[0] ** 2 * (2 * half[1] + 4 / 3 * half[0]),
    "ellipsoid": lambda half: 4 / 3 * pi * float(np.prod(half)),
    "cylinder": lambda half: pi * half[0] ** 2 * 2 * half[1],
    "box": lambda half: 8 * float(np.prod(half)),
}
"""Volume from MuJoCo's half sizes."""


class Bulk(msgspec.Struct, frozen=True):
    """One moving body; None where a number has no meaning.

    Attributes:
        density_kg_m3: mass over the volume of the drawn shapes.
        gyration: largest radius of gyration over the distance from the centre of mass to the farthest shape's end.
        carried: mass beyond its further joints over its own.
    """

    body: str
    density_kg_m3: float | None
    gyration: float | None
    carried: float | None


def measure_bulk(posture: Posture) -> Iterator[Bulk]:
    """Every body that moves and has mass."""
    model = posture.model
    drawings = {drawing.index: drawing for drawing in build_drawing(model)}
    for body in range(1, model.nbody):
        if model.body_weldid[body] and model.body_mass[body] > 0:
            volume = _compute_volume(drawings[body]) if body in drawings else None
            mass = float(model.body_mass[body])
            yield Bulk(
                model.body(body).name,
                mass / volume if volume else None,
                _compute_gyration(posture, body),
                _compute_carried(posture, body),
            )


def _compute_gyration(posture: Posture, body: int) -> float | None:
    model = posture.model
    geoms = np.flatnonzero(model.geom_bodyid == body)
    if not len(geoms):
        return None
    offsets = np.linalg.norm(model.geom_pos[geoms] - model.body_ipos[body], axis=1)
    size = float((offsets + model.geom_rbound[geoms]).max())
    return sqrt(float(model.body_inertia[body].max() / model.body_mass[body])) / size


def _compute_carried(posture: Posture, body: int) -> float | None:
    """Rigidly joined bodies count as one, stated for the one that has the joint."""
    model = posture.model
    if model.body_weldid[body] != body:
        return None
    own = float(model.body_mass[model.body_weldid == body].sum())
    return float(model.body_subtreemass[body]) / own - 1.0


def _compute_volume(drawing: BodyDrawing) -> float | None:
    volumes = [_shape_volume(shape) for shape in drawing.shapes]
    known = [volume for volume in volumes if volume is not None]
    return sum(known) if len(known) == len(volumes) else None


def _shape_volume(shape: Shape) -> float | None:
    if shape.kind == "mesh":
        return _mesh_volume(shape)
    return _VOLUMES[shape.kind](shape.size) if shape.kind in _VOLUMES else None


def _mesh_volume(shape: Shape) -> float | None:
    """Sum of the tetrahedra from the origin to each face."""
    if shape.vertices is None or shape.faces is None:
        return None
    corners = shape.vertices.astype(np.float64)[shape.faces]
    volume = abs(float(np.einsum("fi,fi->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])))) / 6
    box = float(np.prod(np.ptp(shape.vertices, axis=0)))
    return volume if volume > SOLID_FRACTION * box else None
