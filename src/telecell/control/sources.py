"""What commands a robot, by class: what counts as its sign of life, and how long it may be silent in motion."""

from __future__ import annotations

import msgspec

from telecell.messages.granting import Source


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One class.

    Attributes:
        title: in words.
        counts: what is a sign of life.
        silence_s: queued motion is stopped after so long without one; None for a source that cannot be silent.
        stream_silence_s: the same for a stream, whose signs of life are its set-points and renewals.
        leased: whether its grants are lost when its process does not renew them.
    """

    title: str
    counts: str
    silence_s: float | None
    stream_silence_s: float
    leased: bool = True


SOURCES: dict[Source, SourceRow] = {
    "program": SourceRow(
        title="a program",
        counts="commands, and renewals by the client library",
        silence_s=0.5,
        stream_silence_s=0.1,
    ),
    "attended": SourceRow(
        title="a program that is watched over",
        counts="commands, and renewals from inside the program's own calls",
        silence_s=0.5,
        stream_silence_s=0.1,
    ),
    "page": SourceRow(
        title="the page of a station",
        counts="commands, and the heartbeat of the page while its person has it open",
        silence_s=0.3,
        stream_silence_s=0.3,
    ),
    "wire": SourceRow(
        title="a client of a gateway",
        counts="commands, and the gateway's renewals while the connection lives",
        silence_s=0.5,
        stream_silence_s=0.5,
    ),
    "inside": SourceRow(
        title="a program in the cell's own process",
        counts="nothing: the cell's time passes only inside its calls",
        silence_s=None,
        stream_silence_s=0.1,
        leased=False,
    ),
}
