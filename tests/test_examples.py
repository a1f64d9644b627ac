"""Every example runs and says what it promises."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from soak.real.cell_process import own_folders
from tests.cli.running_cell import run_cell

ADDRESS = "tcp/127.0.0.1:7447"
EXAMPLES = Path(__file__).parents[1] / "examples"
PROMISES = {
    "01_first_motion.py": ["4.14 s from here to there", "arrived after"],
    "02_branches.py": ["righty below flip", "the same pose as a righty: 0.0", "the carriage does 0."],
    "03_lines_and_frames.py": ["15 cm above the bench at x 0.20 y 0.35", "5 cm ahead: 49.9 mm", "turned by 30.0 deg"],
    "04_pick_and_place.py": ["between the fingers: 50 mm, beam broken: True", "put where it belongs: True"],
    "05_stream_stop_resume.py": [
        "a circle of 50 mm at 50 Hz",
        "stands while paused: True",
        "then arrives: arrived",
        "bit for bit the same: True",
        "caught: robot puma, segment 4: stopped: pressed by a watcher",
        "after the reset: holding",
    ],
    "06_foreign_client.py": ["version 3.", "moving for 0.", "waist at 0.200 rad"],
    "07_two_programs.py": [
        "Ada: moving",
        "Bob: waits",
        "Ada: lost control: handed over",
        "Bob: has control, the robot is stopped",
        "Bob: arrived",
        "Bob: lost control: taken back by Ada: it is my turn",
        "Ada: has control again",
    ],
}
IN_REAL_TIME = ("06_foreign_client.py", "07_two_programs.py")


def test_every_example_is_listed():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PROMISES)


def mark(name: str):
    return pytest.param(name, marks=pytest.mark.real_time if name in IN_REAL_TIME else ())


@pytest.mark.parametrize("name", [mark(name) for name in PROMISES])
def test_example_runs(name: str, tmp_path: Path):
    served = name.startswith("06")
    with own_folders(), run_cell("puma", "--plant", "fake", "--listen", ADDRESS) if served else nullcontext():
        result = subprocess.run(
            [sys.executable, "-W", "error", str(EXAMPLES / name)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 0, result.stderr
    assert [promise for promise in PROMISES[name] if promise not in result.stdout] == []
