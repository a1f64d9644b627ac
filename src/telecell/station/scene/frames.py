"""Named frames of a cell as small labelled axes."""

from __future__ import annotations

import viser

from telecell.kinematics.posture import Posture
from telecell.models import WORLD, Cell

AXIS_LENGTH_M = 0.12
AXIS_RADIUS_M = 0.004


def list_shown_frames(cell: Cell) -> tuple[str, ...]:
    """The world, the ends of every robot, the tips of the tools, and what the cell file adds."""
    ends = [frame for robot in cell.robots for frame in (robot.base, robot.tip)]
    added = [frame.name for frame in cell.frames if frame.on is not None]
    return tuple(dict.fromkeys([WORLD, *ends, *(tool.tip for tool in cell.tools), *added]))


class Frames:
    """Labelled axes that follow the cell while they are shown; hidden at first.

    Args:
        scene: where to draw.
        posture: of the cell.

    Attributes:
        nodes: by frame.
    """

    def __init__(self, scene: viser.SceneApi, posture: Posture):
        self._posture = posture
        self._root = scene.add_frame("/frames", show_axes=False, visible=False)
        self.nodes = {name: _add_frame(scene, name) for name in list_shown_frames(posture.cell)}
        self._place()

    def show(self, visible: bool) -> None:
        """Show or hide all of them."""
        self._place()
        self._root.visible = visible

    def update(self) -> None:
        """Bring the axes to where the frames are, while they are shown."""
        if self._root.visible:
            self._place()

    def _place(self) -> None:
        for name, node in self.nodes.items():
            pose = self._posture.get_frame(name)
            node.position = pose.position
            node.wxyz = pose.quaternion()


def _add_frame(scene: viser.SceneApi, name: str) -> viser.FrameHandle:
    path = f"/frames/{name.replace('/', '.')}"
    node = scene.add_frame(path, axes_length=AXIS_LENGTH_M, axes_radius=AXIS_RADIUS_M)
    scene.add_label(f"{path}/label", name, font_screen_scale=0.8)
    return node
