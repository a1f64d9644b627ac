"""From the shapes of a body to triangles: one surface per colour, smooth where the shape is round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import trimesh
from numpy.typing import NDArray

from telecell.geometry import Pose
from telecell.models.drawing import Shape

SECTIONS = 48
SHARP_EDGE_RAD = np.radians(35)

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Surface:
    """Triangles of one colour in the frame of their body."""

    rgba: Rgba
    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]


def build_surfaces(shapes: Sequence[Shape]) -> tuple[Surface, ...]:
    """Everything that is seen of a body; planes have no triangles and are left out."""
    by_colour: dict[Rgba, list[trimesh.Trimesh]] = {}
    for shape in shapes:
        if shape.kind != "plane":
            by_colour.setdefault(shape.rgba, []).append(_build_mesh(shape))
    surfaces = []
    for rgba, meshes in by_colour.items():
        whole = trimesh.util.concatenate(meshes)
        assert isinstance(whole, trimesh.Trimesh)
        surfaces.append(Surface(rgba, whole.vertices.astype(np.float32), whole.faces.astype(np.uint32)))
    return tuple(surfaces)


def _build_mesh(shape: Shape) -> trimesh.Trimesh:
    mesh = _BUILDERS[shape.kind](shape)
    mesh = trimesh.graph.smooth_shade(mesh, angle=SHARP_EDGE_RAD)
    mesh.apply_transform(Pose.from_quaternion(shape.position, shape.quaternion_wxyz).as_matrix())
    return mesh


def _box(shape: Shape) -> trimesh.Trimesh:
    return trimesh.creation.box(extents=2 * shape.size)


def _sphere(shape: Shape) -> trimesh.Trimesh:
    return trimesh.creation.icosphere(subdivisions=3, radius=shape.size[0])


def _ellipsoid(shape: Shape) -> trimesh.Trimesh:
    mesh = trimesh.creation.icosphere(subdivisions=3)
    mesh.apply_scale(shape.size)
    return mesh


def _cylinder(shape: Shape) -> trimesh.Trimesh:
    return trimesh.creation.cylinder(radius=shape.size[0], height=2 * shape.size[1], sections=SECTIONS)


def _capsule(shape: Shape) -> trimesh.Trimesh:
    return trimesh.creation.capsule(radius=shape.size[0], height=2 * shape.size[1], count=[SECTIONS, SECTIONS // 2])


def _mesh(shape: Shape) -> trimesh.Trimesh:
    return trimesh.Trimesh(shape.vertices, shape.faces)


_BUILDERS: dict[str, Callable[[Shape], trimesh.Trimesh]] = {
    "box": _box,
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "mesh": _mesh,
}
