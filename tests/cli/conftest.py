"""The program as its users meet it: arguments in, exit code and two streams out."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from telecell import CellClient
from telecell.cli import app
from tests.cli.running_cell import PROGRAM, open_puma, run_cell


@pytest.fixture
def telecell() -> Callable[..., Result]:
    """Run the program in this process; anything but an orderly exit is a failure."""

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def telecell_json(telecell) -> Callable[..., Any]:
    """Run a command with `--json`; its document, after a check that standard output holds nothing else."""

    def run(*arguments: str, exit_code: int = 0) -> Any:
        result = telecell(*arguments, "--json")
        assert result.exit_code == exit_code, result.stderr
        return json.loads(result.stdout)

    return run


@pytest.fixture
def telecell_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program in a process of its own, with further environment variables if need be."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from telecell.cli import main; main()", *arguments],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a command in a process of its own; what still runs in the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start_command(*arguments: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
        return started[-1]

    yield start_command
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="package")
def runtime_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands see no other cells than those of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        yield


@pytest.fixture(scope="package")
def running_puma(runtime_folder) -> Iterator[None]:
    """`puma` on the fake plant, the only cell of the local site; forbearing, since the machine may be busy."""
    with run_cell("puma", "--plant", "fake", "--profile", "delayed"):
        yield


@pytest.fixture(scope="package")
def running_cirsse(runtime_folder) -> Iterator[None]:
    """`cirsse` on the fake plant, at the site `troy`."""
    with run_cell("cirsse", "--plant", "fake", "--site", "troy"):
        yield


@pytest.fixture
def puma(running_puma) -> Iterator[CellClient]:
    """A program beside the commands; the robot has power, is not stopped, and stands where the cell came up."""
    with open_puma() as client:
        yield client
