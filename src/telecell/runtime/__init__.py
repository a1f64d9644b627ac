"""One cell, running: the only place that joins control and plant."""

from telecell.runtime.opening import start_cell
from telecell.runtime.running import RunningCell

__all__ = ["RunningCell", "start_cell"]
