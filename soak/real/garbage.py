"""Bytes that are no requests, on every way into a cell."""

from __future__ import annotations

import contextlib
import queue
import random

import msgspec

from telecell.bus import Keys, ZenohBus
from telecell.messages import AnyReply, Refused
from telecell.messages.stopping import Stop

ANSWER_TIMEOUT_S = 10.0
PORTION = 10
LONGEST = 2000


def send_garbage(endpoint: str, keys: Keys, *, seed: int, count: int) -> list[str]:
    """Send so many pieces, in portions that the cell has room for; returns what was not kept."""
    chance = random.Random(seed)
    answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    wrongs = []
    with contextlib.closing(ZenohBus(endpoint)) as bus:
        bus.start()
        for n in range(count):
            bus.publish(keys.stream, _draw(chance))
            bus.ask((keys.request, keys.stop)[n % 2], _draw(chance), answers.put, ANSWER_TIMEOUT_S)
            if n % PORTION == PORTION - 1:
                wrongs += [wrong for _ in range(PORTION) for wrong in _judge(answers.get())]
    return wrongs


def _draw(chance: random.Random) -> bytes:
    """Noise, or a stop that was damaged so that it is none any more."""
    if chance.random() < 0.5:
        return chance.randbytes(chance.randrange(LONGEST))
    stop = bytearray(msgspec.json.encode(Stop(sequence=1, author="nobody")))
    del stop[chance.randrange(1, len(stop)) :]
    return bytes(stop)


def _judge(answer: bytes | None) -> list[str]:
    reply = None if answer is None else msgspec.json.decode(answer, type=AnyReply)
    return [] if isinstance(reply, Refused) else [f"D: garbage was answered with {reply}"]
