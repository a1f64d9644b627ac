"""What holds for every command: help, version, light imports, errors without tracebacks."""

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

import telecell as package
from telecell.cli import app
from telecell.cli.app import Commands
from telecell.errors import InputError

COMMANDS = [
    "up",
    "cell",
    "status",
    "where",
    "move",
    "stop",
    "reset",
    "watch",
    "grants",
    "cells",
    "robots",
    "show",
    "check",
    "new",
    "fk",
    "ik",
    "picture",
    "doctor",
]


def test_help_lists_every_command(telecell):
    result = telecell("--help")
    assert result.exit_code == 0
    for command in COMMANDS:
        assert f" {command} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_an_example_that_begins_with_it(telecell, command):
    examples = telecell(command, "--help").stdout.partition("Examples:")[2]
    assert f"telecell {command}" in examples


def test_version_is_that_of_the_package(telecell):
    assert telecell("--version").stdout == f"telecell {package.__version__}\n"


def test_importing_the_program_imports_nothing_heavy():
    heavy = ("mujoco", "viser", "numpy", "msgspec", "ruckig")
    code = f"import sys, telecell.cli; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


def test_error_is_one_line_without_traceback(telecell_process):
    result = telecell_process("show", "pumma")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: no cell or model of that name, got 'pumma'; choose from: ")
    assert result.stderr.endswith("Did you mean 'puma'?\n")
    assert result.stderr.count("\n") == 1


def test_json_goes_to_standard_output_alone(telecell_process):
    result = telecell_process("robots", "--kind", "robot", "--json")
    assert result.returncode == 0
    assert result.stdout.startswith("{")
    assert result.stderr == ""


@pytest.mark.parametrize("arguments", [["fly"], ["cells", "--loud"], ["show"], ["robots", "--kind", "cat"]])
def test_bad_usage_has_exit_code_2(telecell, arguments):
    result = telecell(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


def run_command_that_raises(error):
    """A program with the same frame as the real one and a single command, which fails."""
    program = typer.Typer(cls=Commands)

    @program.command()
    def fail() -> None:
        raise error

    @program.callback()
    def start() -> None:
        pass

    return CliRunner().invoke(program, ["fail"])


def test_interrupt_is_quiet():
    result = run_command_that_raises(KeyboardInterrupt())
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "")


def test_every_refusal_of_the_library_has_exit_code_1():
    result = run_command_that_raises(InputError("it is broken", where="somewhere", remedy="Mend it."))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: somewhere: it is broken. Mend it.\n"


def test_program_has_the_commands_that_this_page_of_tests_knows():
    assert [command.name for command in app.registered_commands] == COMMANDS
