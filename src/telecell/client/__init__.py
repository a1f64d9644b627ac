"""What programs import: a cell, its manipulators and their motions, the same face wherever the cell runs."""

from telecell.client.cell_client import CellClient
from telecell.client.connecting import connect
from telecell.client.link import LinkState
from telecell.client.location import Location
from telecell.client.manipulator import Manipulator
from telecell.client.opening import open_cell
from telecell.client.pending import Pending
from telecell.client.segment import Segment
from telecell.client.stream import Stream

__all__ = [
    "CellClient",
    "LinkState",
    "Location",
    "Manipulator",
    "Pending",
    "Segment",
    "Stream",
    "connect",
    "open_cell",
]
