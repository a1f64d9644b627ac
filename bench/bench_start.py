"""How long a person waits: import, help, and the first page."""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bench.figures import report

TELECELL = str(Path(sys.executable).with_name("telecell"))


def time_command(command: list[str], repeats: int = 5) -> float:
    """Median wall time of a command, seconds."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def time_until_page() -> float:
    """Seconds from `telecell up` to an answering page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    begin = time.perf_counter()
    process = subprocess.Popen([TELECELL, "up", "cirsse", "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        while time.perf_counter() - begin < 60:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1):
                    return time.perf_counter() - begin
            except OSError:
                time.sleep(0.02)
        raise TimeoutError("no page within 60 s")
    finally:
        os.kill(process.pid, signal.SIGINT)
        process.wait(20)


def main() -> None:
    """Print the waiting times, with the bare interpreter as the floor."""
    floor = time_command([sys.executable, "-c", "pass"])
    report(
        "import_telecell",
        value_s=time_command([sys.executable, "-c", "import telecell"]) - floor,
        peer="python -c pass",
        peer_s=floor,
        limit_s=0.3,
    )
    report(
        "telecell_help", value_s=time_command([TELECELL, "--help"]), peer="python -c pass", peer_s=floor, limit_s=0.5
    )
    report("telecell_up_to_page", value_s=time_until_page(), limit_s=15.0)


if __name__ == "__main__":
    main()
