"""One cell, running: the only place that joins control and plant."""

from telecell.runtime.opening import open_cell
from telecell.runtime.running import RunningCell, build_chain

__all__ = ["RunningCell", "build_chain", "open_cell"]
