"""Row D: a jump of the wall clock changes nothing, since nothing here looks at it."""

import ast
from pathlib import Path

import telecell

SOURCES = sorted(Path(telecell.__file__).parent.rglob("*.py"))
CLOCKS = {"time", "datetime"}
"""Modules that know what time it is."""


def list_imports(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def test_only_one_module_reads_a_clock():
    readers = [path for path in SOURCES if list_imports(path) & CLOCKS]
    assert [path.name for path in readers] == ["clock.py"]


def test_that_module_reads_the_monotonic_clock_only():
    (path,) = [path for path in SOURCES if list_imports(path) & CLOCKS]
    used = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time"
    }
    assert used == {"monotonic", "sleep"}


def test_the_bus_stamps_nothing_by_the_wall_clock():
    from telecell.bus import zenoh_bus

    assert zenoh_bus._SETTINGS["timestamping/enabled"] is False
