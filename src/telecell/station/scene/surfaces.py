"""From the shapes of a body to triangles and edges: one surface per colour, smooth where the shape is round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import trimesh
from numpy.typing import NDArray

from telecell.geometry import Pose
from telecell.models.drawing import Shape

FINE, COARSE = 48, 10
"""Sides of a round shape: for surfaces, and for wire frames, which few lines make easier to read."""

SHARP_RAD = float(np.radians(30))
"""Faces that meet at more than this have an edge between them."""

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Surface:
    """Everything of one colour on a body, in the body's frame.

    Attributes:
        vertices: n x 3.
        faces: triangles, m x 3 indices of vertices.
        edges: the same as a wire frame, k lines x 2 ends x 3.
    """

    rgba: Rgba
    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]
    edges: NDArray[np.float32]


def build_surfaces(shapes: Sequence[Shape]) -> tuple[Surface, ...]:
    """Everything that is seen of a body; planes are endless and left out."""
    by_colour: dict[Rgba, list[Shape]] = {}
    for shape in shapes:
        if shape.kind != "plane":
            by_colour.setdefault(shape.rgba, []).append(shape)
    return tuple(_build_surface(rgba, group) for rgba, group in by_colour.items())


def _build_surface(rgba: Rgba, shapes: list[Shape]) -> Surface:
    smooth = [trimesh.graph.smooth_shade(_build_mesh(shape, FINE), angle=SHARP_RAD) for shape in shapes]
    whole = trimesh.util.concatenate(smooth)
    assert isinstance(whole, trimesh.Trimesh)
    edges = np.vstack([_find_edges(_build_mesh(shape, COARSE)) for shape in shapes])
    return Surface(rgba, whole.vertices.astype(np.float32), whole.faces.astype(np.uint32), edges.astype(np.float32))


def _find_edges(mesh: trimesh.Trimesh) -> NDArray[np.float64]:
    """Lines where the surface bends sharply or ends; of a surface that does neither, all its edges."""
    sharp = mesh.face_adjacency_edges[mesh.face_adjacency_angles > SHARP_RAD]
    ends = mesh.edges_sorted[trimesh.grouping.group_rows(mesh.edges_sorted, require_count=1)]
    lines = np.vstack([sharp, ends])
    return mesh.vertices[lines if len(lines) else mesh.edges_unique]


def _build_mesh(shape: Shape, sides: int) -> trimesh.Trimesh:
    mesh = _BUILDERS[shape.kind](shape, sides)
    mesh.apply_transform(Pose.from_quaternion(shape.position, shape.quaternion_wxyz).as_matrix())
    return mesh


def _box(shape: Shape, _: int) -> trimesh.Trimesh:
    return trimesh.creation.box(extents=2 * shape.size)


def _sphere(shape: Shape, sides: int) -> trimesh.Trimesh:
    return trimesh.creation.uv_sphere(radius=shape.size[0], count=[sides // 2, sides])


def _ellipsoid(shape: Shape, sides: int) -> trimesh.Trimesh:
    mesh = trimesh.creation.uv_sphere(count=[sides // 2, sides])
    mesh.apply_scale(shape.size)
    return mesh


def _cylinder(shape: Shape, sides: int) -> trimesh.Trimesh:
    return trimesh.creation.cylinder(radius=shape.size[0], height=2 * shape.size[1], sections=sides)


def _capsule(shape: Shape, sides: int) -> trimesh.Trimesh:
    return trimesh.creation.capsule(radius=shape.size[0], height=2 * shape.size[1], count=[sides, sides])


def _mesh(shape: Shape, _: int) -> trimesh.Trimesh:
    return trimesh.Trimesh(shape.vertices, shape.faces)


_BUILDERS: dict[str, Callable[[Shape, int], trimesh.Trimesh]] = {
    "box": _box,
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "mesh": _mesh,
}
