"""What the bus adds: questions, motion requests and states, against bare zenoh through the same router."""

from __future__ import annotations

import contextlib
import queue
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import zenoh

import telecell as tc
from bench.bare_answerer import KEY
from bench.figures import compare_us, report
from bench.processes import CELL, open_measured_router, run_bare_answerer, run_cell
from soak.load.bare import open_bare
from soak.load.crowd import speak
from soak.load.listener import listen_by_bare
from soak.load.sampling import Arrivals, find_p99, summarize
from soak.real.record import MOVED
from soak.real.witness import Witness
from telecell.bus import Keys, ZenohBus
from telecell.client.over_bus import BusTransport
from telecell.kinematics.placements import to_placement
from telecell.messages import Request
from telecell.messages.events import SegmentStarted
from telecell.messages.queries import Describe, SolveInverse, Where

PERIOD_S = 0.004
BARE_PERIOD_S = 0.00404
"""Not quite the same: the two publishers drift past each other, and none is always the second."""

LIMIT_RATIO = 2.5
LIMIT_DELIVERY_RATIO = 2.0
CALLS = 20
REPEATS = 31
MOVES = 100
STEP = 0.01
LISTEN_S = 15.0
ROBOT = "FL"
TIMEOUT_S = 2.0


def ask_bare(session: zenoh.Session, question: bytes) -> None:
    """One bare question, and its answer."""
    session.get(KEY, payload=question, consolidation=zenoh.ConsolidationMode.NONE).recv()


def build_bare_question(bus: ZenohBus, request: Request) -> bytes:
    """A bare question as long as a request, whose answer is as long as its reply."""
    answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    payload = msgspec.json.encode(request)
    bus.ask(Keys("local", CELL).ask, payload, answers.put, TIMEOUT_S)
    answer = answers.get()
    assert answer is not None
    return f"{len(answer)} ".encode().ljust(len(payload))


def list_questions(cell: tc.CellClient) -> dict[str, tuple[Callable[[], Any], Request]]:
    """How a program asks, and the request that this sends."""
    arm = cell.manipulator(ROBOT)
    pose = arm.where().pose()
    sent: dict[str, Any] = {"sequence": 1000, "sender": "0123456789abcdef"}
    return {
        "where": (arm.where, Where(robot=ROBOT, **sent)),
        "describe": (cell.describe, Describe(**sent)),
        "solve": (lambda: arm.inverse(pose), SolveInverse(robot=ROBOT, target=to_placement(pose), **sent)),
    }


def measure_questions(endpoint: str, cell: tc.CellClient) -> float:
    """Print a figure for each question; returns the bare round trip of the shortest, µs."""
    bare_us = []
    with contextlib.closing(ZenohBus(endpoint)) as bus, open_bare(endpoint) as session:
        bus.start()
        for name, (ask, request) in list_questions(cell).items():
            question = build_bare_question(bus, request)
            actions = {"bare": lambda question=question: ask_bare(session, question), "bus": ask}
            times = compare_us(actions, calls=CALLS, repeats=REPEATS)
            bare_us.append(times["bare"])
            report(
                f"bus_{name}",
                value_us=times["bus"],
                peer="bare zenoh query of the same sizes",
                peer_us=times["bare"],
                ratio=times["bus"] / times["bare"],
                limit_ratio=LIMIT_RATIO,
                answer_bytes=int(question.split()[0]),
            )
    return min(bare_us)


def measure_moves(endpoint: str, cell: tc.CellClient, bare_us: float) -> None:
    """How soon a move is answered, and in which period the robot begins to move."""
    arm, chance, times_us = cell.manipulator(ROBOT), random.Random(1), []
    with Witness(endpoint, Keys("local", CELL)) as witness, cell.control("bench"):
        arm.power(True)
        steps = np.where(["puma" in axis for axis in arm.axes], STEP, 0.0)
        begin = witness.look().newest.tick
        for n in range(MOVES):
            cell.run(chance.uniform(0.0, PERIOD_S))
            begin_s = time.perf_counter()
            segment = arm.move_joints_by(steps if n % 2 == 0 else -steps)
            times_us.append((time.perf_counter() - begin_s) * 1e6)
            segment.wait()
        witness.look()
        periods = count_periods(witness, begin)
    median_us = statistics.median(times_us)
    report(
        "bus_move",
        value_us=median_us,
        p99_us=find_p99(times_us),
        without_wait_us=median_us - PERIOD_S / 2 * 1e6,
        peer="bare zenoh query",
        peer_us=bare_us,
        limit_us=LIMIT_RATIO * bare_us + PERIOD_S * 1e6,
        first_motion_periods=periods,
    )


def count_periods(witness: Witness, since: int) -> dict[str, int]:
    """How many moves began so many periods after the tick that took them."""
    counts: dict[str, int] = {}
    for event in witness.record.list_events(SegmentStarted, since):
        later = next(n for n in range(1, 100) if witness.record.compute_step(event.tick + n) > MOVED)
        counts[str(later)] = counts.get(str(later), 0) + 1
    return counts


def measure_delivery(endpoint: str) -> None:
    """How old a state is when a program has it, decoded."""
    arrivals, bare = Arrivals(), Arrivals()
    transport = BusTransport(ZenohBus(endpoint), Keys("local", CELL))
    with contextlib.closing(transport):
        transport.start()
        with (
            speak("bare", endpoint, transport.state(), count=1, period_s=BARE_PERIOD_S),
            contextlib.closing(listen_by_bare(endpoint, bare)),
        ):
            hear(transport, arrivals)
    ours, peer = (summarize(one.ages_us, one.count_lost()) for one in (arrivals, bare))
    report(
        "bus_state",
        value_us=ours.median_us,
        p99_us=ours.p99_us,
        peer="bare zenoh publication of the same size",
        peer_us=peer.median_us,
        peer_p99_us=peer.p99_us,
        ratio=ours.median_us / peer.median_us,
        limit_ratio=LIMIT_DELIVERY_RATIO,
        bytes=len(msgspec.json.encode(transport.state())),
    )


def hear(transport: BusTransport, arrivals: Arrivals) -> None:
    """Take every state as it comes."""
    end_s, tick = time.monotonic() + LISTEN_S, -1
    while time.monotonic() < end_s:
        transport.pump()
        state = transport.state()
        if state.tick != tick:
            tick = state.tick
            arrivals.note("", tick, state.time_s, time.monotonic())


def main() -> None:
    """Print the figures of the bus."""
    with open_measured_router() as endpoint, run_cell(endpoint):
        with run_bare_answerer(endpoint), tc.connect(endpoint) as cell:
            bare_us = measure_questions(endpoint, cell)
            measure_moves(endpoint, cell, bare_us)
        measure_delivery(endpoint)


if __name__ == "__main__":
    main()
