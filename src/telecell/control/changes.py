"""The ways in which the right to command changes, and what each of them does to motion under way."""

from __future__ import annotations

from typing import Literal

import msgspec

Right = Literal["free", "held", "reserved"]


class ChangeRow(msgspec.Struct, frozen=True):
    """One way in which the right to command changes.

    Attributes:
        title: in words.
        by: who brings it about.
        motion: what becomes of motion: it goes on, it is halted, or it is stopped and waits for a reset.
        next: who may have the axes.
        ways: from what to what the right to an axis goes by it: free, held, or reserved for somebody.
    """

    title: str
    by: str
    motion: Literal["goes on", "halt", "stop"]
    next: str
    ways: tuple[tuple[Right, Right], ...] = ()


_Ways = tuple[tuple[Right, Right], ...]
_GIVEN: _Ways = (("free", "held"), ("reserved", "held"))
_ENDED: _Ways = (("held", "free"),)
_RESERVED: _Ways = (("held", "reserved"),)

CHANGES: dict[str, ChangeRow] = {
    "acquired": ChangeRow("given", "somebody asks, and the axes are free and at rest", "goes on", "the holder", _GIVEN),
    "queued": ChangeRow("waited for", "somebody asks, and the axes are not free", "goes on", "the holder"),
    "left": ChangeRow(
        "not waited for any more",
        "somebody who waits does not ask again",
        "goes on",
        "the holder",
        (("reserved", "free"),),
    ),
    "split": ChangeRow("split", "the holder", "goes on", "the holder, with one grant for each part"),
    "merged": ChangeRow("merged", "the holder", "goes on", "the holder, with one grant for all"),
    "released": ChangeRow("given back", "the holder", "halt", "the first who waits", _ENDED),
    "handed_over": ChangeRow("handed over", "the holder", "stop", "whom the holder has named", _RESERVED),
    "taken_back": ChangeRow("taken back", "a supervisor", "stop", "the supervisor", _RESERVED),
    "expired": ChangeRow(
        "lost, lease", "the holder's process renews it no more", "stop", "the first who waits", _ENDED
    ),
    "idle": ChangeRow("lost, idle limit", "the holder commands nothing", "stop", "the first who waits", _ENDED),
    "overdue": ChangeRow(
        "lost, control limit", "the holder has had it long enough", "stop", "the first who waits", _ENDED
    ),
}
