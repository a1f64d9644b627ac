"""From what the bus brings to messages; it may be of another release, or of a stranger."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from telecell.errors import VersionMismatch
from telecell.messages import AnyEvent, AnyReply, CellSetup, CellState

Value = TypeVar("Value")


class Tick(msgspec.Struct):
    """The part of a state that says when it was: quick to read."""

    tick: int


REPLY: msgspec.json.Decoder[AnyReply] = msgspec.json.Decoder(AnyReply)
REPLIES: msgspec.json.Decoder[tuple[AnyReply, ...]] = msgspec.json.Decoder(tuple[AnyReply, ...])
EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])
STATE = msgspec.json.Decoder(CellState)
SETUP = msgspec.json.Decoder(CellSetup)
TICK = msgspec.json.Decoder(Tick)


def maybe_decode(decoder: msgspec.json.Decoder[Value], payload: bytes) -> Value | None:
    """What bytes say; None if that cannot be read."""
    try:
        return decoder.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def decode(decoder: msgspec.json.Decoder[Value], payload: bytes, where: str) -> Value:
    """What a cell says.

    Raises:
        VersionMismatch: it cannot be read.
    """
    value = maybe_decode(decoder, payload)
    if value is None:
        raise VersionMismatch(
            "what the cell says cannot be read", where=where, remedy="Use the same release on both sides."
        )
    return value
