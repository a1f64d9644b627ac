"""One server per cell: a lock that its process holds while it lives, however it dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from io import TextIOWrapper

from telecell.errors import CellBusy, ServerError
from telecell.models import Cell
from telecell.runtime.state_folder import find_state_folder

LOCK_FILE = "server.lock"


@contextlib.contextmanager
def hold_cell(cell: Cell, site: str) -> Iterator[None]:
    """Be the only server of a cell on this machine.

    Raises:
        CellBusy: another process is, with its number.
        ServerError: the lock cannot be kept.
    """
    with _open(cell, site) as file:
        _lock(file, cell)
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def validate_free(cell: Cell, site: str) -> None:
    """Refuse a cell that has a server, before anything is started for it.

    Raises:
        CellBusy: it has one.
        ServerError: the lock cannot be looked at.
    """
    with _open(cell, site) as file:
        _lock(file, cell)


def _open(cell: Cell, site: str) -> TextIOWrapper:
    path = find_state_folder(site, cell.name) / LOCK_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+")
    except OSError as error:
        raise ServerError(
            f"cannot be written: {error.strerror}", where=str(path), remedy="Set XDG_STATE_HOME to a folder of yours."
        ) from None


def _lock(file: TextIOWrapper, cell: Cell) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        pid = file.readline(20).strip() or "unknown"
        raise CellBusy(
            f"another server runs the cell, process {pid}",
            where=f"cell {cell.name}",
            remedy="Connect to it, or end the program that started it.",
        ) from None
