"""The process beside the loop: it answers what needs no tick, so that no question costs the cell its period.

Started by the supervisor as `python -m telecell.servers.worker CELL ...`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from functools import partial
from typing import NamedTuple

import msgspec

from telecell.bus import DEFAULT_SITE, Bus, Inquiry, Keys, Ready, Supervision, ZenohBus, end_process, run_supervised
from telecell.clock import Clock, SystemClock
from telecell.errors import CellUnreachable, MalformedRequestError, QueueFull, RequestError, TelecellError
from telecell.messages import (
    AnyReply,
    AnyRequest,
    CellSetup,
    CellState,
    ErrorReport,
    MalformedRequest,
    Query,
    Refused,
    decode_request,
)
from telecell.messages.queries import Describe, ReadSignals, SolveForward, SolveInverse, Where
from telecell.models import Cell, load_cell
from telecell.models.archive import INDEX, index_archive, pack_cell, split_archive
from telecell.servers.inbox import Inbox
from telecell.servers.mirror import Mirror

ANSWERED = (Describe, Where, SolveForward, SolveInverse, ReadSignals)
"""The questions that need no tick."""

MAX_WAITING = 64
PORTION = 16
LONGEST_SILENCE_S = 1.0
"""What the cell said longer ago than this is not passed on as if it were true."""

FETCH_TIMEOUT_S = 2.0
LOOK_S = 0.1
NICENESS = 5
"""On a busy machine questions wait for the control loop, not the other way round."""


class Heard(NamedTuple):
    """The newest state of the cell, as bytes, and when it came."""

    payload: bytes
    time_s: float


class Worker:
    """Answers questions from what the cell has published.

    Args:
        cell: the description.
        bus: started.
        keys: of the cell.
        clock: by which the age of what the cell said is judged.
    """

    def __init__(self, cell: Cell, bus: Bus, keys: Keys, clock: Clock):
        self._bus = bus
        self._keys = keys
        self._clock = clock
        self._mirror = Mirror(cell)
        self._inbox: Inbox[Inquiry] = Inbox(MAX_WAITING)
        self._state: Heard | None = None
        self._setup: bytes | None = None
        self._followed: bytes | None = None
        self._archive = pack_cell(cell)
        self._encoder = msgspec.json.Encoder()
        self._state_decoder = msgspec.json.Decoder(CellState)
        self._setup_decoder = msgspec.json.Decoder(CellSetup)

    def start(self) -> None:
        """Open the worker to the bus."""
        self._bus.subscribe(self._keys.state, self._hear_state)
        self._bus.subscribe(self._keys.setup, self._hear_setup)
        self._bus.ask(self._keys.setup, b"", self._take_setup, FETCH_TIMEOUT_S)
        self._serve_archive()
        self._bus.serve(self._keys.ask, self._inbox.put)
        self._bus.announce(self._keys.alive("worker", str(os.getpid())))

    def _serve_archive(self) -> None:
        index = index_archive(self._archive)
        self._bus.serve(self._keys.model(INDEX), partial(_reply, self._encoder.encode(index)))
        for name, part in zip(index.part_names, split_archive(self._archive), strict=True):
            self._bus.serve(self._keys.model(name), partial(_reply, part))

    def _hear_state(self, _key: str, payload: bytes) -> None:
        self._state = Heard(payload, self._clock.now())

    def _hear_setup(self, _key: str, payload: bytes) -> None:
        self._setup = payload

    def _take_setup(self, payload: bytes | None) -> None:
        """What was asked for at the start; a publication in between is newer."""
        self._setup = self._setup or payload

    def work(self, timeout_s: float) -> None:
        """Answer what waits; wait for it at most so long."""
        self._inbox.wait(timeout_s)
        for inquiry in self._inbox.take(PORTION):
            inquiry.reply(self._encoder.encode(self._answer(decode_request(inquiry.payload))))
        for inquiry in self._inbox.take_refused():
            error = QueueFull("too many questions wait", where="worker", limit=MAX_WAITING, remedy="Ask fewer at once.")
            inquiry.reply(self._encoder.encode(_refuse(decode_request(inquiry.payload), error)))

    def _answer(self, request: AnyRequest | MalformedRequest) -> AnyReply:
        try:
            query = _validate(request)
            self._follow()
        except TelecellError as error:
            return _refuse(request, error)
        return self._mirror.answer(query)

    def _follow(self) -> None:
        """Be where the cell is, if that is known.

        Raises:
            CellUnreachable: it is not.
        """
        state, setup = self._state, self._setup
        silence_s = None if state is None else self._clock.now() - state.time_s
        if state is None or setup is None or silence_s is None or silence_s > LONGEST_SILENCE_S:
            raise CellUnreachable(
                "the cell is silent",
                where=f"cell {self._keys.cell}",
                value="no state yet" if silence_s is None else f"{silence_s:.1f} s",
                limit=f"{LONGEST_SILENCE_S:g} s",
                remedy="Wait until it is back.",
            )
        if setup is not self._followed:
            self._mirror.follow_setup(self._setup_decoder.decode(setup))
            self._followed = setup
        self._mirror.follow_state(self._state_decoder.decode(state.payload))


def _validate(request: AnyRequest | MalformedRequest) -> Query:
    if isinstance(request, MalformedRequest):
        raise MalformedRequestError(
            "this is no request", value=request.reason, remedy="docs/schema has the schema of requests."
        )
    if not isinstance(request, ANSWERED):
        raise RequestError(
            "this does not go by 'ask'",
            value=request.__struct_config__.tag,
            choices=[str(kind.__struct_config__.tag) for kind in ANSWERED],
            remedy="Send it by 'request'.",
        )
    return request


def _refuse(request: AnyRequest | MalformedRequest, error: TelecellError) -> Refused:
    return Refused(request.sequence, ErrorReport.from_error(error))


def _reply(payload: bytes, inquiry: Inquiry) -> None:
    inquiry.reply(payload)


def main(arguments: list[str] | None = None) -> int:
    """Entry of the process."""
    parser = argparse.ArgumentParser(prog="telecell.servers.worker", description=__doc__)
    parser.add_argument("cell", help="name of a cell, or path of its file")
    parser.add_argument("--site", default=DEFAULT_SITE)
    parser.add_argument("--endpoint", required=True, help="where the router listens")
    parser.add_argument("--supervisor-fd", type=int, required=True)
    options = parser.parse_args(arguments)
    os.nice(NICENESS)

    def work(supervision: Supervision) -> None:
        cell = load_cell(options.cell)
        keys = Keys(options.site, cell.name)
        with contextlib.closing(ZenohBus(options.endpoint)) as bus:
            bus.start()
            worker = Worker(cell, bus, keys, SystemClock())
            worker.start()
            supervision.tell(Ready())
            while not supervision.should_end:
                worker.work(LOOK_S)

    return run_supervised(options.supervisor_fd, work)


if __name__ == "__main__":
    end_process(main)
