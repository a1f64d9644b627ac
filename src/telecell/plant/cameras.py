"""Pictures of a cell by MuJoCo's offscreen renderer, without a display."""

from __future__ import annotations

import importlib
import io
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from telecell.errors import InputError, RenderingUnavailable, UnknownName
from telecell.models.world import COLLISION_GROUP

VIEWS = {"iso": (140.0, -25.0), "front": (180.0, -8.0), "side": (90.0, -8.0), "top": (180.0, -89.9)}
"""Azimuth and elevation of the camera's line of sight, degrees."""

MAX_SIDE = 4096
_BACKENDS = ("egl", "osmesa", "glfw")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image: rows of red, green, blue bytes. Shows itself in notebooks."""

    pixels: NDArray[np.uint8]

    def png(self) -> bytes:
        """As a PNG file."""
        buffer = io.BytesIO()
        Image.fromarray(self.pixels).save(buffer, format="PNG")
        return buffer.getvalue()

    def save(self, path: str | Path) -> Path:
        """Write a PNG file and return where."""
        target = Path(path)
        target.write_bytes(self.png())
        return target

    def _repr_png_(self) -> bytes:
        return self.png()


def render(
    model: mujoco.MjModel, data: mujoco.MjData, view: str = "iso", *, width: int = 1280, height: int = 800
) -> Picture:
    """A picture of a posture from a standard view or from one of the model's cameras.

    Raises:
        RenderingUnavailable: no way to draw on this machine.
        UnknownName: no such view.
        InputError: a size that cannot be drawn.
    """
    if not (16 <= width <= MAX_SIDE and 16 <= height <= MAX_SIDE):
        raise InputError("picture size in pixels", value=f"{width} x {height}", limit=f"16 to {MAX_SIDE} each")
    camera = _build_camera(model, data, view)
    open_context()
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    model.vis.map.fogstart, model.vis.map.fogend = 1.5, 4.0
    mujoco.mj_camlight(model, data)
    scene = mujoco.MjvScene(model, maxgeom=10_000)
    scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
    scene.flags[mujoco.mjtRndFlag.mjRND_FOG] = 1
    option = mujoco.MjvOption()
    option.geomgroup[COLLISION_GROUP] = 0
    option.sitegroup[:] = 0
    mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    try:
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
        viewport = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(viewport, scene, context)
        pixels = np.empty((height, width, 3), np.uint8)
        mujoco.mjr_readPixels(pixels, None, viewport, context)
    finally:
        context.free()
    return Picture(np.ascontiguousarray(np.flipud(pixels)))


@lru_cache(maxsize=1)
def open_context():
    """The process's drawing context: the first backend that works, or the one that MUJOCO_GL names.

    Raises:
        RenderingUnavailable: with what each backend said.
    """
    wanted = os.environ.get("MUJOCO_GL", "").lower()
    complaints = []
    for backend in [wanted] if wanted in _BACKENDS else _BACKENDS:
        try:
            context = importlib.import_module(f"mujoco.{backend}").GLContext(64, 64)
            context.make_current()
        except Exception as error:  # OpenGL loaders raise whatever they like
            complaints.append(f"{backend}: {' '.join(str(error).split())[:120] or type(error).__name__}")
            continue
        return context
    raise RenderingUnavailable(
        f"no offscreen rendering ({'; '.join(complaints)})",
        remedy="On Debian or Ubuntu: apt-get install libegl1 libgl1-mesa-dri. The browser station works without.",
    )


def _build_camera(model: mujoco.MjModel, data: mujoco.MjData, view: str) -> mujoco.MjvCamera:
    camera = mujoco.MjvCamera()
    cameras = [model.camera(i).name for i in range(model.ncam)]
    if view in cameras:
        camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        camera.fixedcamid = model.camera(view).id
        return camera
    if view not in VIEWS:
        raise UnknownName("view", view, [*VIEWS, *cameras])
    camera.azimuth, camera.elevation = VIEWS[view]
    centre, radius = compute_extent(model, data)
    camera.lookat[:] = centre
    camera.distance = radius / np.tan(np.radians(model.vis.global_.fovy) / 2) * 0.85
    return camera


def compute_extent(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[NDArray[np.float64], float]:
    """Centre and radius of everything that is drawn, the floor left out (metres)."""
    drawn = (model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_group != COLLISION_GROUP)
    if not drawn.any():
        drawn = model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    if not drawn.any():
        return np.zeros(3), 1.0
    reach = model.geom_rbound[drawn][:, None]
    low = (data.geom_xpos[drawn] - reach).min(axis=0)
    high = (data.geom_xpos[drawn] + reach).max(axis=0)
    return (low + high) / 2, float(np.linalg.norm(high - low) / 2)
