"""Where this user's own files about a cell are kept."""

from __future__ import annotations

import os
from pathlib import Path


def find_state_folder(site: str, cell: str) -> Path:
    """The folder for what a cell of a site keeps beyond its run: named poses, the lock of its server."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "telecell" / site / cell
