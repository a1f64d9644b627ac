"""What a cell server publishes every control period."""

from __future__ import annotations

import msgspec

from telecell.messages import CellState, Reply


class Report(msgspec.Struct, frozen=True):
    """The cell after one tick, together with the answers to the requests that took effect in it."""

    state: CellState
    replies: tuple[Reply, ...] = ()
