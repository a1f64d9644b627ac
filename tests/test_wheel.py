"""What is installed works without the checkout: data files travel in the wheel."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}"
    return result.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh virtual environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder / "dist", ROOT, cwd=folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    run(folder / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=folder)
    return folder / "venv" / "bin"


def test_cells_travel_in_the_wheel(installed: Path, tmp_path: Path):
    listing = json.loads(run(installed / "telecell", "cells", "--json", cwd=tmp_path))
    assert {"cirsse", "puma"} <= {cell["name"] for cell in listing["cells"]}


def test_the_twin_runs_from_the_wheel(installed: Path, tmp_path: Path):
    said = run(installed / "telecell", "up", "--headless", "--seconds", "3", cwd=tmp_path)
    assert "CIRSSE testbed is running" in said
    assert "real-time factor" in said
