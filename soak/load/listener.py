"""Listens to all speakers: `python -m soak.load.listener bus|bare ENDPOINT SECONDS`; says what it has heard as JSON."""

from __future__ import annotations

import sys
import time

import msgspec
import zenoh

from soak.load.bare import ROOT, open_bare, read_stamp
from soak.load.sampling import Arrivals
from soak.load.speaker import SITE
from telecell.bus import Keys, ZenohBus
from telecell.messages import CellState


class Heard(msgspec.Struct):
    """What one listener says."""

    ages_us: list[float]
    lost: int


def listen_by_bus(endpoint: str, arrivals: Arrivals) -> ZenohBus:
    """Hear and decode every state, as an operator's program does."""
    decoder = msgspec.json.Decoder(CellState)

    def take(key: str, payload: bytes) -> None:
        state = decoder.decode(payload)
        arrivals.note(key, state.tick, state.time_s, time.monotonic())

    bus = ZenohBus(endpoint)
    bus.start()
    bus.subscribe(Keys(SITE, "any").state.replace("/any/", "/*/"), take)
    return bus


def listen_by_bare(endpoint: str, arrivals: Arrivals) -> zenoh.Session:
    """Hear every publication."""

    def take(sample: zenoh.Sample) -> None:
        number, sent_s = read_stamp(sample.payload.to_bytes())
        arrivals.note(str(sample.key_expr), number, sent_s, time.monotonic())

    session = open_bare(endpoint)
    session.declare_subscriber(f"{ROOT}/*/state", take)
    return session


LISTEN = {"bus": listen_by_bus, "bare": listen_by_bare}


def main() -> None:
    """Listen for so many seconds."""
    way, endpoint, seconds = sys.argv[1:]
    arrivals = Arrivals()
    ears = LISTEN[way](endpoint, arrivals)
    time.sleep(float(seconds))
    ears.close()
    print(msgspec.json.encode(Heard(arrivals.ages_us, arrivals.count_lost())).decode(), flush=True)


if __name__ == "__main__":
    main()
