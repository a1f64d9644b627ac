"""What a cell server publishes every control period."""

from __future__ import annotations

import msgspec

from telecell.messages import AnyEvent, AnyReply, CellState


class Report(msgspec.Struct, frozen=True):
    """The cell after one tick.

    Attributes:
        state: all of it.
        replies: answers to requests; with a report that found no room they wait for the next one.
        events: what has happened in this tick; with a report that found no room they are gone.
        newest_event: number of the newest event there is: a reader that lacks events sees it, and asks for them with
            `Subscribe`.
    """

    state: CellState
    replies: tuple[AnyReply, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    newest_event: int = 0
