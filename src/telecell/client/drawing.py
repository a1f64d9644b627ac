"""Pictures of a cell in another process: its own model, put into the state that it tells."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from telecell.kinematics.posture import Posture
from telecell.messages import CellState
from telecell.models import Cell, load_cell
from telecell.models.archive import INDEX, ArchiveIndex, join_archive, unpack_cell
from telecell.plant.cameras import Picture, render


class Drawing:
    """Draws a cell.

    Args:
        cell: the description; it is not needed on disk any more afterwards.
    """

    def __init__(self, cell: Cell):
        self._posture = Posture(cell)

    @classmethod
    def fetch(cls, fetch: Callable[[str], bytes]) -> Drawing:
        """Of a cell whose archive is brought piece by piece.

        Args:
            fetch: brings the index, and the pieces by their names.

        Raises:
            CellFileError: it is no archive of a cell.
        """
        index = msgspec.json.decode(fetch(INDEX), type=ArchiveIndex)
        archive = join_archive([fetch(name) for name in index.part_names], index)
        with tempfile.TemporaryDirectory(prefix="telecell-") as folder:
            return cls(load_cell(unpack_cell(archive, Path(folder))))

    def render(self, state: CellState, view: str, *, width: int, height: int) -> Picture:
        """A picture of a state."""
        joints = [axis.q_measured for axis in state.axes]
        parts = [(*part.position_m, *part.quaternion_wxyz) for part in state.parts]
        self._posture.set(joints, [tool.opening for tool in state.tools], parts or None)
        return render(self._posture.model, self._posture.data, view, width=width, height=height)
