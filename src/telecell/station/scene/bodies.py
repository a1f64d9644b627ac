"""The bodies of a cell as nodes of the scene: built once, moved when they move."""

from __future__ import annotations

import numpy as np
import viser

from telecell.kinematics.posture import Posture
from telecell.models.drawing import BodyDrawing
from telecell.station.scene.surfaces import Surface, build_surfaces

WIRE_PX = 1.5
WIRE_SHADE = 0.6
"""Lines are darker than surfaces, so that white ones can be seen against the sky."""

MOVED_M = 1e-5
MOVED_QUATERNION = 1e-5


class Bodies:
    """One node per body under one node per mount, so that a mount can be hidden as a whole.

    Args:
        scene: where to draw.
        posture: where the bodies are.
        drawings: what the bodies look like.

    Attributes:
        mounts: the nodes above the bodies of each mount.
        solids: surfaces, one per body and colour.
        wires: the same as wire frames.
    """

    def __init__(self, scene: viser.SceneApi, posture: Posture, drawings: tuple[BodyDrawing, ...]):
        self._posture = posture
        self.mounts: dict[str, viser.FrameHandle] = {}
        self._nodes: list[viser.FrameHandle] = []
        self.solids: list[viser.MeshHandle] = []
        self.wires: list[viser.LineSegmentsHandle] = []
        indices = []
        for body in drawings:
            surfaces = build_surfaces(body.shapes)
            if surfaces:
                self._add_body(scene, body.name, surfaces)
                indices.append(body.index)
        self._indices = np.array(indices, dtype=int)
        self._positions = np.full((len(indices), 3), np.inf)
        self._quaternions = np.full((len(indices), 4), np.inf)
        self.update()

    def _add_body(self, scene: viser.SceneApi, name: str, surfaces: tuple[Surface, ...]) -> None:
        mount, _, body = name.partition("/")
        if mount not in self.mounts:
            self.mounts[mount] = scene.add_frame(f"/cell/{mount}", show_axes=False)
        path = f"/cell/{mount}/{(body or mount).replace('/', '.')}"  # a slash would make it move with another body
        self._nodes.append(scene.add_frame(path, show_axes=False))
        for index, surface in enumerate(surfaces):
            self.solids.append(_add_solid(scene, f"{path}/solid{index}", surface))
            self.wires.append(_add_wire(scene, f"{path}/wire{index}", surface))

    def show_mount(self, name: str, visible: bool) -> None:
        """Show or hide everything that belongs to a mount."""
        self.mounts[name].visible = visible

    def draw_wire(self, wire: bool) -> None:
        """Draw edges instead of surfaces, or surfaces again."""
        for node in self.solids:
            node.visible = not wire
        for node in self.wires:
            node.visible = wire

    def update(self) -> None:
        """Move the nodes whose bodies have moved since the last time."""
        positions = self._posture.body_positions[self._indices]
        quaternions = self._posture.body_quaternions[self._indices]
        moved = np.abs(positions - self._positions).max(axis=1, initial=0) > MOVED_M
        moved |= np.abs(quaternions - self._quaternions).max(axis=1, initial=0) > MOVED_QUATERNION
        for index in np.flatnonzero(moved):
            self._nodes[index].position = positions[index]
            self._nodes[index].wxyz = quaternions[index]
        self._positions[moved] = positions[moved]
        self._quaternions[moved] = quaternions[moved]


def _add_solid(scene: viser.SceneApi, path: str, surface: Surface) -> viser.MeshHandle:
    *colour, alpha = surface.rgba
    opacity = alpha if alpha < 1 else None
    return scene.add_mesh_simple(path, surface.vertices, surface.faces, color=np.array(colour), opacity=opacity)


def _add_wire(scene: viser.SceneApi, path: str, surface: Surface) -> viser.LineSegmentsHandle:
    colour = WIRE_SHADE * np.array(surface.rgba[:3])
    return scene.add_line_segments(
        path, surface.edges, colour, thickness=WIRE_PX, thickness_units="screen", visible=False
    )
