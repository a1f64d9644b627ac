"""The program as its users meet it: arguments in, exit code and two streams out."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from telecell.cli import app


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
