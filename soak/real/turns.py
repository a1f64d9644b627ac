"""Row A1: several programs pass one robot among them."""

from __future__ import annotations

import contextlib
from collections import Counter

from soak.real.program import Program
from soak.real.witness import Witness
from telecell.messages.events import GrantChanged

NAMES = ("Ada", "Bob", "Cleo", "Dan")
PASSED_ON = ("released", "handed_over", "taken_back")


def pass_around(witness: Witness, turns: int, seed: int) -> Counter[str]:
    """Have so many turns taken; returns how often control changed, by kind. The witness has the record of it."""
    begin = witness.look().newest.tick

    def count() -> Counter[str]:
        return Counter(event.change for event in witness.record.list_events(GrantChanged, begin))

    with contextlib.ExitStack() as stack:
        for name in NAMES:
            stack.enter_context(Program("takes_turns", name, f"{seed}/{name}"))
        reached = 0
        while reached < turns:  # so that patience is for the next turn, not for all of them
            reached = witness.wait_for(
                lambda before=reached: n if (n := count()["acquired"]) > before else None, "a turn"
            )
    return count()
