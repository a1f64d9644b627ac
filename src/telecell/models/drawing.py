"""The shapes of a compiled world as plain values, for whoever draws it without MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from telecell.models.world import COLLISION_GROUP

Kind = Literal["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]

_KINDS: dict[int, Kind] = {
    int(mujoco.mjtGeom.mjGEOM_PLANE): "plane",
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """One drawn shape, in the frame of its body.

    Attributes:
        size: MuJoCo's half sizes: radius, half length, half width..., by kind.
        vertices: of a mesh, in the shape's own frame.
        faces: of a mesh, vertex indices.
    """

    kind: Kind
    size: NDArray[np.float64]
    position: NDArray[np.float64]
    quaternion_wxyz: NDArray[np.float64]
    rgba: tuple[float, float, float, float]
    vertices: NDArray[np.float32] | None = None
    faces: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True)
class BodyDrawing:
    """The shapes of one body; `index` is its row in the posture's body poses."""

    name: str
    index: int
    shapes: tuple[Shape, ...]


def build_drawing(model: mujoco.MjModel) -> tuple[BodyDrawing, ...]:
    """Every body that has something to see. A body with no drawn shape shows its collision shapes."""
    drawings = []
    for body in range(model.nbody):
        geoms = [g for g in range(model.ngeom) if model.geom_bodyid[g] == body and model.geom_type[g] in _KINDS]
        drawn = [g for g in geoms if model.geom_group[g] != COLLISION_GROUP] or geoms
        visible = [g for g in drawn if _colour(model, g)[3] > 0]
        if visible:
            shapes = tuple(_build_shape(model, geom) for geom in visible)
            drawings.append(BodyDrawing(model.body(body).name, body, shapes))
    return tuple(drawings)


def _colour(model: mujoco.MjModel, geom: int) -> tuple[float, float, float, float]:
    material = model.geom_matid[geom]
    rgba = model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]
    red, green, blue, alpha = (float(value) for value in rgba)
    return red, green, blue, alpha


def _build_shape(model: mujoco.MjModel, geom: int) -> Shape:
    kind = _KINDS[int(model.geom_type[geom])]
    vertices = faces = None
    if kind == "mesh":
        mesh = model.mesh(int(model.geom_dataid[geom]))
        start, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
        vertices = model.mesh_vert[start : start + count].copy()
        start, count = int(mesh.faceadr[0]), int(mesh.facenum[0])
        faces = model.mesh_face[start : start + count].copy()
    return Shape(
        kind,
        model.geom_size[geom].copy(),
        model.geom_pos[geom].copy(),
        model.geom_quat[geom].copy(),
        _colour(model, geom),
        vertices,
        faces,
    )
