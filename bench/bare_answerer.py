"""Answers bare zenoh queries: `python -m bench.bare_answerer ENDPOINT`.

A question begins with the size of the answer that it wants.
"""

from __future__ import annotations

import sys

import zenoh

from soak.load.bare import open_bare

KEY = "bare/ask"


def answer(query: zenoh.Query) -> None:
    assert query.payload is not None
    size = int(query.payload.to_bytes().split()[0])
    query.reply(query.key_expr, bytes(size))


if __name__ == "__main__":
    with open_bare(sys.argv[1]) as session:
        session.declare_queryable(KEY, answer)
        print("ready", flush=True)
        sys.stdin.read()
