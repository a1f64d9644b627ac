"""Reading saved states, which come from outside: damage is found before anything is changed."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from telecell.errors import SnapshotMismatch

Saved = TypeVar("Saved")


def decode_snapshot(snapshot: bytes, saved_type: type[Saved], what: str) -> Saved:
    """The content of a snapshot.

    Args:
        snapshot: MessagePack of the saved type.
        saved_type: what is expected.
        what: in words, for the error.

    Raises:
        SnapshotMismatch: it is something else.
    """
    try:
        return msgspec.msgpack.decode(snapshot, type=saved_type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotMismatch(f"not a snapshot of {what}: {error}") from None
