"""Publishes at the rate of a control loop: `python -m soak.load.speaker bus|bare ENDPOINT NAME PERIOD_S`.

The state that it repeats, stamped anew each time, comes by standard input; its end ends the speaker.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import msgspec

from soak.load.bare import ROOT, build_payload, open_bare
from telecell.bus import Keys, ZenohBus
from telecell.clock import SystemClock
from telecell.messages import CellState, LoopState
from telecell.servers.cell_port import CellPort
from telecell.servers.loop import run_loop

SITE = "load"

Publish = Callable[[int, float], None]


def build_bus(endpoint: str, name: str, line: bytes) -> Publish:
    """Publishes as a cell server does."""
    state = msgspec.json.decode(line, type=CellState)
    bus = ZenohBus(endpoint)
    bus.start()
    port = CellPort(bus, Keys(SITE, name))
    return lambda tick, time_s: port.publish(msgspec.structs.replace(state, tick=tick, time_s=time_s))


def build_bare(endpoint: str, name: str, line: bytes) -> Publish:
    """Publishes as many bytes by bare zenoh."""
    session, key, size = open_bare(endpoint), f"{ROOT}/{name}/state", len(line.strip())
    return lambda number, time_s: session.put(key, build_payload(number, time_s, size))


BUILD = {"bus": build_bus, "bare": build_bare}


def main() -> None:
    """Publish until the end of standard input."""
    way, endpoint, name, period_s = sys.argv[1:]
    publish = BUILD[way](endpoint, name, sys.stdin.buffer.readline())
    clock, should_end, number = SystemClock(), threading.Event(), 0
    threading.Thread(target=lambda: (sys.stdin.buffer.read(), should_end.set()), daemon=True).start()

    def work(_loop: LoopState) -> bool:
        nonlocal number
        number += 1
        publish(number, clock.now())
        return not should_end.is_set()

    run_loop(work, float(period_s), clock)


if __name__ == "__main__":
    main()
