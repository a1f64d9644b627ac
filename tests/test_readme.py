"""What the README says works."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import telecell
from soak.real.cell_process import own_folders
from tests.cli.running_cell import TIMEOUT_S, run_cell, wait_until

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SCRIPTS = Path(sys.executable).parent


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def commands(program: str) -> list[list[str]]:
    lines = [shlex.split(line, comments=True) for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line and line[0] == program]


def test_the_readme_has_two_commands_and_ten_lines_of_python():
    assert commands("make") == [["make", "run"], ["make", "test"]]
    assert len(blocks("python")) == 3
    for block in blocks("python"):
        assert len(block.strip().splitlines()) <= 10


def test_make_run_starts_the_default_cell():
    plan = subprocess.run(
        ["make", "--no-print-directory", "-n", "run"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert plan.strip().endswith("bin/telecell up cirsse")


@pytest.mark.rendering
def test_the_python_snippet_runs(tmp_path: Path):
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", blocks("python")[0]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Pose(xyz_m=(0.52")
    assert (tmp_path / "puma.png").stat().st_size > 10_000


@pytest.mark.real_time
def test_two_people_share_a_robot_as_the_snippets_say():
    def start(block: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-W", "error", "-c", block], stderr=subprocess.PIPE, text=True)

    _, for_ada, for_bob = blocks("python")
    with own_folders(), run_cell("puma", "--plant", "fake", "--profile", "delayed"), telecell.connect() as cell:
        with start(for_ada) as ada:
            wait_until(cell, lambda: any(grant.holder == "Ada" for grant in cell.state().grants))
            with start(for_bob) as bob:
                complaints = [person.communicate(timeout=TIMEOUT_S)[1] for person in (ada, bob)]
        changes = [(event.change, event.holder) for event in cell.grants().history]
    assert complaints == ["", ""]
    assert [change for change in changes if change[0] != "queued"] == [
        ("acquired", "Ada"),
        ("handed_over", "Ada"),
        ("acquired", "Bob"),
        ("released", "Bob"),
    ]


@pytest.mark.rendering
@pytest.mark.parametrize("command", commands("telecell"), ids=" ".join)
def test_shell_commands_run(command: list[str], tmp_path: Path):
    result = subprocess.run(
        [str(SCRIPTS / command[0]), *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout + result.stderr


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_links_lead_somewhere(link: str):
    assert (ROOT / link).exists()
