"""Pictures of a cell by MuJoCo's offscreen renderer, without a display."""

from __future__ import annotations

import atexit
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
from telecell.geometry import VIEWS_DEG, fit_view
from telecell.models.extent import find_corners
from telecell.models.world import COLLISION_GROUP

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
    camera = _build_camera(model, data, view, width / height)
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
    complaints = []
    for backend in _list_backends():
        try:
            context = importlib.import_module(f"mujoco.{backend}").GLContext(64, 64)
            context.make_current()
            # Some backends open and then cannot draw: only a trial tells.
            mujoco.MjrContext(mujoco.MjSpec().compile(), mujoco.mjtFontScale.mjFONTSCALE_100).free()
        except Exception as error:  # OpenGL loaders raise whatever they like
            complaints.append(f"{backend}: {' '.join(str(error).split())[:120] or type(error).__name__}")
            continue
        atexit.register(context.free)  # OpenGL complains when it is freed after Python's modules
        return context
    raise RenderingUnavailable(
        f"no offscreen rendering ({'; '.join(complaints)})",
        remedy="On Debian or Ubuntu: apt-get install libegl1 libgl1-mesa-dri. The browser station works without.",
    )


def _list_backends() -> list[str]:
    """What to try, in order; OSMesa only when it is asked for, because it cannot be loaded after EGL."""
    wanted = os.environ.get("MUJOCO_GL", "").lower()
    if wanted in _BACKENDS:
        return [wanted]
    return ["egl", "glfw"] if os.environ.get("DISPLAY") else ["egl"]


def _build_camera(model: mujoco.MjModel, data: mujoco.MjData, view: str, aspect: float) -> mujoco.MjvCamera:
    camera = mujoco.MjvCamera()
    cameras = [model.camera(i).name for i in range(model.ncam)]
    if view in cameras and view not in VIEWS_DEG:
        camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        camera.fixedcamid = model.camera(view).id
        return camera
    if view not in VIEWS_DEG:
        raise UnknownName("view", view, [*VIEWS_DEG, *cameras])
    fov = np.radians(float(model.vis.global_.fovy))
    fitted = fit_view(view, find_corners(model, data), fov_rad=fov, aspect=aspect)
    camera.lookat[:], camera.distance = fitted.look_at, fitted.distance_m
    camera.azimuth, camera.elevation = fitted.azimuth_deg, fitted.elevation_deg
    return camera
