"""Every example runs and says what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
PROMISES = {
    "01_first_look.py": "18 axes",
    "02_branches.py": "righty below flip",
    "03_snapshot.py": "the same future twice: True",
}


def test_every_example_is_listed():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_example_runs(name: str, tmp_path: Path):
    result = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert PROMISES[name] in result.stdout
