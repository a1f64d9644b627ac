"""Every request, and how a stranger's bytes become one."""

from __future__ import annotations

import msgspec

from telecell.messages.granting import AnyGranting
from telecell.messages.moves import AnyMove, AnySetPoint
from telecell.messages.queries import AnyQuery
from telecell.messages.settings import AnySetting
from telecell.messages.stopping import AnyStopping

AnyRequest = AnyQuery | AnyGranting | AnyMove | AnySetPoint | AnySetting | AnyStopping

OPERATIONS = tuple(sorted(kind.__struct_config__.tag for kind in AnyRequest.__args__))
"""The tags of all requests."""


class _Numbered(msgspec.Struct):
    sequence: int = 0


LONGEST_REASON = 500

_DECODER = msgspec.json.Decoder(AnyRequest)
_NUMBER = msgspec.json.Decoder(_Numbered)


class MalformedRequest(msgspec.Struct, frozen=True):
    """Bytes that are no request.

    Attributes:
        sequence: its number, as far as it could be read, else 0.
        reason: what is wrong with it.
    """

    sequence: int
    reason: str


def decode_request(packet: bytes | memoryview) -> AnyRequest | MalformedRequest:
    """The request in a packet, or what is wrong with it: every packet can be answered."""
    try:
        return _DECODER.decode(packet)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return MalformedRequest(_read_sequence(packet), str(error)[:LONGEST_REASON])


def _read_sequence(packet: bytes | memoryview) -> int:
    try:
        return _NUMBER.decode(packet).sequence
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
