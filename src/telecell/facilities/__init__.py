"""What people do with a cell: check it, and later log, redo and rehearse it."""

from telecell.facilities.fitness import Finding, check_cell, list_postures

__all__ = ["Finding", "check_cell", "list_postures"]
