"""How much room a posture takes."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from telecell.models.cell import Cell
from telecell.models.world import COLLISION_GROUP, build_start_posture, compile_world

_CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


def find_corners(model: mujoco.MjModel, data: mujoco.MjData) -> NDArray[np.float64]:
    """Corners of the boxes around everything that is drawn, planes left out (n x 3, world).

    Where nothing is drawn, collision shapes count.
    """
    solid = model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    drawn = solid & (model.geom_group != COLLISION_GROUP)
    chosen = np.flatnonzero(drawn if drawn.any() else solid)
    centres, halves = model.geom_aabb[chosen, :3], model.geom_aabb[chosen, 3:]
    local = centres[:, None] + halves[:, None] * _CUBE
    rotations = data.geom_xmat[chosen].reshape(-1, 3, 3)
    return (np.einsum("gij,gkj->gki", rotations, local) + data.geom_xpos[chosen][:, None]).reshape(-1, 3)


def find_bottom(cell: Cell) -> float:
    """Height of the lowest point of a cell at its start, 0 for one that does not reach below its origin (metres)."""
    model = compile_world(cell)
    data = mujoco.MjData(model)
    data.qpos[:] = build_start_posture(cell, model)
    mujoco.mj_kinematics(model, data)
    return float(find_corners(model, data)[:, 2].min(initial=0.0))
