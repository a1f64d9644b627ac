"""Row C1: eight cells publish their states at full rate to four operators, and none is lost.

Each round first listens to as many bytes by bare zenoh through the same router, so that ages can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from soak.load.crowd import listen, speak, take_state
from soak.load.sampling import Delivery
from soak.real.cell_process import own_folders
from soak.runner import Report
from telecell.bus import open_router, prepare_endpoint

SPEAKERS = 8
LISTENERS = 4
PERIOD_S = 0.004
ROUND_S = 12.0


def run(_seed: int) -> Iterator[Report]:
    """Round after round."""
    state = take_state("cirsse")
    with own_folders():
        endpoint = prepare_endpoint("load", "c1")
        with open_router([endpoint]):
            while True:
                deliveries = {}
                for way in ("bare", "bus"):
                    with speak(way, endpoint, state, count=SPEAKERS, period_s=PERIOD_S):
                        deliveries[way] = listen(way, endpoint, count=LISTENERS, seconds=ROUND_S)
                yield judge(deliveries)


def judge(deliveries: dict[str, Delivery]) -> Report:
    """Print a round as rows of a table, and report it."""
    for way, delivery in deliveries.items():
        print(
            f"{way:5} received {delivery.received:7} lost {delivery.lost:5} "
            f"age median {delivery.median_us:7.0f} us, p99 {delivery.p99_us:7.0f} us",
            flush=True,
        )
    done = {"states": deliveries["bus"].received, "bare_lost": deliveries["bare"].lost}
    lost = deliveries["bus"].lost
    return Report(done, [f"C1: {lost} of {done['states'] + lost} states were lost"] if lost else [])
