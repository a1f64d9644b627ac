"""docs/cli.md says what the program does: its options and the keys of its documents are compared with the real ones."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from telecell.cli import app
from telecell.cli.views import JsonLines
from telecell.messages.events import Warned
from tests.cli.running_cell import wait_until

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"

DOCUMENTED_RUNS = {
    "cells": [["cells"]],
    "robots": [["robots"]],
    "show": [["show", "cirsse"]],
    "check": [["check", "puma560"]],
    "fk": [["fk", "puma560", "--pose", "ready"], ["fk", "cirsse/FL", "--pose", "ready"]],
    "ik": [
        ["ik", "puma560", "--xyz", "0.5", "0.15", "0.4"],
        ["ik", "cirsse/FL", "--xyz", "0.9", "-1.0", "1.2", "--rpy-deg", "180", "0", "0"],
    ],
    "doctor": [["doctor"]],
}

RUNNING_RUNS = {
    "status": [["status"]],
    "where": [["where", "puma"], ["where", "CL", "--site", "troy"]],
    "move": [["move", "puma", "--home"], ["move", "CL", "--home", "--power", "--site", "troy"]],
    "stop": [["stop"]],
    "reset": [["reset"]],
    "watch": [["watch", "--seconds", "0.2"], ["watch", "--seconds", "0.2", "--site", "troy"]],
    "grants": [["grants"]],
}
"""Commands that talk to a running cell."""


@cache
def read_tables(head: str) -> dict[str, set[str]]:
    """By command, the first column of the tables with a given head."""
    sections = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
    found = {}
    for section in sections:
        command = re.match(r"`telecell (\w+)", section)
        if command:
            tables = re.findall(rf"^\| {head} \|.*\n\|.*\n((?:\|.*\n)+)", section, flags=re.MULTILINE)
            found[command[1]] = {key for table in tables for key in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)}
    return found


def list_keys(value: Any, path: str = "") -> set[str]:
    """Paths to the leaves of a document, with `[]` for the items of lists."""
    if isinstance(value, dict):
        return {key for name, item in value.items() for key in list_keys(item, f"{path}.{name}".lstrip("."))}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {key for item in value for key in list_keys(item, f"{path}[]")}
    return {path}


@pytest.mark.parametrize("command", DOCUMENTED_RUNS)
def test_documented_keys_are_the_real_ones(telecell_json, command):
    real = set()
    for arguments in DOCUMENTED_RUNS[command]:
        real |= list_keys(telecell_json(*arguments))
    # An arm without named branches has an empty one.
    assert real - {"solutions[].branch"} == read_tables("JSON key")[command]


@pytest.mark.parametrize("command", ["status", "where", "move", "stop", "reset"])
def test_documented_keys_about_a_running_cell_are_the_real_ones(puma, running_cirsse, telecell_json, command):
    real = set()
    for arguments in RUNNING_RUNS[command]:
        real |= list_keys(telecell_json(*arguments))
    assert real == read_tables("JSON key")[command]


def test_documented_keys_of_grants_are_the_real_ones(puma, start, telecell_json):
    with puma.control("alice"):
        start("move", "puma", "--home", "--as", "bob", "--wait", "20")
        wait_until(puma, lambda: "bob" in puma.state().waiting)
        assert list_keys(telecell_json(*RUNNING_RUNS["grants"][0])) == read_tables("JSON key")["grants"]


def test_documented_keys_of_watch_are_the_real_ones(puma, running_cirsse, telecell, capsys):
    lines = [line for arguments in RUNNING_RUNS["watch"] for line in telecell(*arguments, "--json").stdout.splitlines()]
    view = JsonLines(only_events=False)
    view.note(Warned(number=1, tick=1, reason="it is late"))
    view.say("the cell was restarted")
    lines += capsys.readouterr().out.splitlines()
    assert {key for line in lines for key in list_keys(json.loads(line))} == read_tables("JSON key")["watch"]


@pytest.mark.parametrize("command", [command.name for command in app.registered_commands])
def test_documented_options_are_the_real_ones(command):
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    real = {name for option in group.commands[command].params for name in option.opts if name.startswith("--")}
    assert real - {"--help"} == read_tables("option")[command]


@pytest.mark.parametrize("command", [name for name, options in read_tables("option").items() if "--json" in options])
def test_every_command_with_json_is_compared(command):
    assert command in DOCUMENTED_RUNS | RUNNING_RUNS
