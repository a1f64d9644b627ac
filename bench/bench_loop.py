"""How well the control loop keeps time with four clients and the station, against a bare loop that only sleeps."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

import numpy as np

import telecell as tc
from bench.figures import report
from bench.measured_server import PERIOD_S, PERIODS
from bench.processes import MEASURED, lateness_files, open_measured_router, read_lateness, run_cell, run_child
from soak.real.program import ROOT, Program
from telecell.servers.ports import suggest_port

WATCHERS = 3
ROBOT = "FL"
STEP = 0.1
SECONDS = PERIODS * PERIOD_S
LIMIT_RATIO = 2.0
PEERS = ("bare", "bare-first")


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextlib.contextmanager
def browse(browser: str, port: int) -> Iterator[None]:
    """Have the page open in a browser without a window, at the lowest priority, as in the tests."""
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--remote-debugging-port=0"]
        process = subprocess.Popen(
            [
                *("sh", str(ROOT / "tools" / "quiet-browser.sh"), browser, *options),
                *(f"--user-data-dir={profile}", f"http://127.0.0.1:{port}"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def move_for(cell: tc.CellClient, seconds: float) -> None:
    """The fourth client: moves the robot to and fro."""
    arm = cell.manipulator(ROBOT)
    steps = np.where(["puma" in axis for axis in arm.axes], STEP, 0.0)
    with cell.control("bench"):
        arm.power(True)
        end_s = cell.time_s + seconds
        while cell.time_s < end_s:
            arm.move_joints_by(steps).wait()
            arm.move_joints_by(-steps).wait()


def measure(figure: str, browser: str | None) -> None:
    """Run everything side by side, and print how late each loop was."""
    port = suggest_port()
    with lateness_files("cell", *PEERS) as files:
        with contextlib.ExitStack() as stack:
            endpoint = stack.enter_context(open_measured_router())
            for peer in PEERS:
                stack.enter_context(run_child(MEASURED, files[peer], peer))
            stack.enter_context(run_cell(endpoint, port=port, file=files["cell"]))
            for _ in range(WATCHERS):
                stack.enter_context(Program("watches")).wait_for_line("watches")
            if browser is not None:
                stack.enter_context(browse(browser, port))
            move_for(stack.enter_context(tc.connect(endpoint)), SECONDS)
        cell, bare, bare_first = (read_lateness(files[name]) for name in ("cell", *PEERS))
    report(
        figure,
        periods=cell.periods,
        overruns=cell.overruns,
        p99_us=cell.p99_us,
        peer="bare sleep loop",
        peer_overruns=bare.overruns,
        peer_p99_us=bare.p99_us,
        limit_overruns=LIMIT_RATIO * bare.overruns,
        same_priority_overruns=bare_first.overruns,
        same_priority_p99_us=bare_first.p99_us,
    )


def main() -> None:
    """Print the figures of the loop."""
    measure("loop_with_four_clients_and_station", None)
    browser = find_browser()
    if browser is not None:
        measure("loop_with_four_clients_and_page", browser)


if __name__ == "__main__":
    main()
