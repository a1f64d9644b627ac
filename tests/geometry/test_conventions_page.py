import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "conventions.md"


def test_the_example_on_the_conventions_page_runs_as_printed():
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0
