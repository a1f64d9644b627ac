"""docs/motion.md says what the code does."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from telecell.control.modes import MODES, TRANSITIONS
from telecell.control.stops import STOPS
from telecell.messages.moves import ViaChoice
from telecell.trajectories import SCHEMES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "motion.md").read_text()
LINKED = re.findall(r"!\[[^\]]+\]\((pictures/motion_\w+\.png)\)", PAGE)
PICTURES = sorted(f"pictures/{path.name}" for path in (ROOT / "docs" / "pictures").glob("motion_*"))
sys.path.insert(0, str(ROOT / "tools"))
TABLES = runpy.run_path(str(ROOT / "tools" / "motion_tables.py"))["TABLES"]
fill = runpy.run_path(str(ROOT / "tools" / "doc_tables.py"))["fill"]

LARGEST_PICTURE = 150_000


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_what_the_code_generates(name: str):
    found = re.findall(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", PAGE, flags=re.DOTALL)
    assert found == [TABLES[name]()], "run `make docs-pictures`"


def test_filling_in_the_tables_again_changes_nothing():
    assert fill(PAGE, TABLES) == PAGE


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_has_a_section_and_a_picture(scheme: str):
    assert f"\n### {scheme}\n" in PAGE
    assert f"pictures/motion_{scheme}.png" in LINKED


@pytest.mark.parametrize("choice", ViaChoice.__args__)
def test_every_choice_of_via_velocities_is_explained(choice: str):
    assert f"| `{choice}` |" in PAGE


def test_every_mode_has_a_way_in_and_a_way_out():
    assert {way.start for way in TRANSITIONS} == set(MODES) == {way.end for way in TRANSITIONS}


@pytest.mark.parametrize("cause", STOPS)
def test_every_cause_of_a_stop_is_in_the_table(cause: str):
    assert f"| `{cause}` |" in PAGE


def test_every_picture_is_linked_once_and_exists():
    assert sorted(LINKED) == PICTURES


@pytest.mark.parametrize("picture", LINKED)
def test_pictures_are_small(picture: str):
    assert 5_000 < (ROOT / "docs" / picture).stat().st_size < LARGEST_PICTURE


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", PAGE))
def test_links_lead_somewhere(link: str):
    assert (ROOT / "docs" / link).exists()


def test_the_page_says_that_the_stop_is_not_safety_rated():
    assert "not a safety-rated emergency stop" in PAGE
