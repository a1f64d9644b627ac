"""Requests about the right to command: who may move which axes."""

from __future__ import annotations

from typing import Literal

from telecell.messages.request import Command, Grant, Query, Renewal, Request

Source = Literal["program", "attended", "page", "wire", "inside"]
"""What commands, a row of the table of sources: it says what signs of life are, and how long silence may last."""


class Acquire(Command, frozen=True, tag="acquire", kw_only=True):
    """Ask for the right to command axes. The sender needs no grant yet, but a fresh echo.

    Attributes:
        holder: by which name the holder is known.
        axes: names of robots or axes; all axes of the cell if none is named.
        source: what commands.
        priority: the higher comes first among those who wait; nobody is driven out by it.
        wait: queue for it where it cannot be had yet. Ask again, at least twice a second, to keep the place: the answer
            is the grant when its turn has come.
    """

    holder: str
    axes: tuple[str, ...] = ()
    source: Source = "program"
    priority: int = 0
    wait: bool = False


class RenewGrant(Renewal, frozen=True, tag="renew_grant", kw_only=True):
    """The holder's process lives; without this the grant is lost after its lease.

    Attributes:
        attending: it also counts as the sign of life that motion needs.
    """

    attending: bool = True


class ReleaseGrant(Command, frozen=True, tag="release_grant", kw_only=True):
    """Give the grant back; motion ends on its path."""


class SplitGrant(Command, frozen=True, tag="split_grant", kw_only=True):
    """Make several grants of one; motion goes on.

    Attributes:
        parts: names of robots or axes for each; together they are the axes of the grant, and none is in two parts.
    """

    parts: tuple[tuple[str, ...], ...]


class MergeGrants(Command, frozen=True, tag="merge_grants", kw_only=True):
    """Make one grant of several of the same sender; motion goes on.

    Attributes:
        others: the grants that are added to the one with which this is sent.
    """

    others: tuple[Grant, ...]


class HandOver(Command, frozen=True, tag="hand_over", kw_only=True):
    """Stop, and let somebody who waits have the axes.

    Attributes:
        to: the name under which somebody waits.
    """

    to: str


class TakeBack(Request, frozen=True, tag="take_back", kw_only=True):
    """A supervisor takes axes from whoever holds them: they are stopped, and the sender comes next. Needs no grant.

    Attributes:
        author: who, for the record.
        axes: names of robots or axes; all axes of the cell if none is named.
        reason: why, for the record.
    """

    author: str
    reason: str
    axes: tuple[str, ...] = ()


class ListGrants(Query, frozen=True, tag="list_grants", kw_only=True):
    """Who holds what, who waits, and what has changed."""


AnyGranting = Acquire | RenewGrant | ReleaseGrant | SplitGrant | MergeGrants | HandOver | TakeBack | ListGrants
