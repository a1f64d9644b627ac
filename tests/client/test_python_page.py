"""docs/python.md says what is so: its snippets run, one after the other."""

import re
from pathlib import Path
from typing import Any

import pytest

import telecell
from telecell import errors
from telecell.messages import EVENT_KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text()


def test_the_snippets_run_one_after_the_other(capsys: pytest.CaptureFixture[str]):
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    printed = capsys.readouterr().out
    assert "['puma'] off" in printed
    assert "None holding" in printed
    assert "arrived arrived Pose(" in printed
    assert "stopped: pressed by watcher" in printed
    assert printed.endswith("True\n")


def test_the_tree_of_errors_is_that_of_the_code():
    tree = re.search(r"    TelecellError\n(.*?)\n\n", errors.__doc__ or "", re.DOTALL)
    shown = re.search(r"<!-- tree -->\n```\n(.*?)```\n<!-- end of tree -->", PAGE, re.DOTALL)
    assert tree
    assert shown
    assert shown[1] == "".join(line.removeprefix("    ") + "\n" for line in tree[0].strip("\n").splitlines())


def test_everything_that_the_page_names_exists():
    known = {*dir(telecell.Manipulator), *dir(telecell.CellClient), *dir(telecell.Segment), "open_cell"}
    assert set(re.findall(r"(\w+)\([^`\n]*\)`", PAGE)) <= known
    for kind in re.findall(r'kinds="(\w+)"', PAGE):
        assert kind in EVENT_KINDS
    for name in re.findall(r"\btc\.(\w+)", PAGE):
        assert name in telecell.__all__
