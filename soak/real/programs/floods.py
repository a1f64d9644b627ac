"""Floods a cell with questions and with renewals of nobody, thousands a second, and never looks at the answers."""

from __future__ import annotations

import contextlib

import msgspec

from telecell.bus import ZenohBus, local_endpoint
from telecell.client.connecting import find_local
from telecell.clock import SystemClock
from telecell.messages.granting import RenewGrant
from telecell.messages.queries import ReadSignals

BEAT_S = 0.01
QUESTIONS = 12
RENEWALS = 8
"""At each beat. More renewals than the cell takes in would cost everybody the grant: nobody's are known to be false."""

ANSWER_TIMEOUT_S = 1.0


def main() -> None:
    """Flood until killed."""
    keys = find_local(None, "local")
    question = msgspec.json.encode(ReadSignals(sequence=1, sender="flood"))
    renewal = msgspec.json.encode(RenewGrant(sequence=1, sender="flood"))
    clock = SystemClock()
    with contextlib.closing(ZenohBus(local_endpoint(keys.site, keys.cell))) as bus:
        bus.start()
        print("floods", flush=True)
        while True:
            beat_s = clock.now() + BEAT_S
            for _ in range(QUESTIONS):
                bus.ask(keys.request, question, lambda _: None, ANSWER_TIMEOUT_S)
            for _ in range(RENEWALS):
                bus.publish(keys.stream, renewal)
            clock.sleep_until(beat_s)


if __name__ == "__main__":
    main()
