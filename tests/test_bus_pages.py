"""docs/grants.md and docs/bus.md say what the code does."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
WRITER = runpy.run_path(str(ROOT / "tools" / "write_bus_tables.py"))
PAGES, fill = WRITER["PAGES"], WRITER["fill"]


@pytest.mark.parametrize("name", PAGES)
def test_the_tables_are_what_the_code_generates(name: str):
    page = (ROOT / "docs" / name).read_text()
    assert fill(page, PAGES[name]) == page, "run `make docs-tables`"


@pytest.mark.parametrize("name", ["grants.md", "bus.md", "operations.md"])
def test_what_is_linked_exists(name: str):
    page = (ROOT / "docs" / name).read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page):
        assert (ROOT / "docs" / target).exists(), target
