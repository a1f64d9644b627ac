"""docs/cells.md says what is so: its example runs, its tables are those of the structs."""

import re
from pathlib import Path

import pytest

from telecell.models import description, load_cell
from telecell.models.schema import fill_in_tables
from telecell.models.urdf import MESH_FORMATS
from telecell.plant import PhysicsPlant

from .robots import hold
from .test_schema import STRUCTS

PAGE = (Path(__file__).parents[2] / "docs" / "cells.md").read_text()
EXAMPLE = re.findall(r"^`([\w./]+)`:\n\n```(?:toml|xml)\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    for name, text in EXAMPLE:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_the_example_loads_and_holds_still(example: Path):
    assert [name for name, _ in EXAMPLE] == ["cell.toml", "arm/model.toml", "arm/arm.xml"]
    cell = load_cell(example)
    assert cell.get_robot("arm").poses.keys() == {"home", "low"}
    measured = hold(PhysicsPlant(cell), 0.4, cell.start)
    assert measured.q_measured == pytest.approx(cell.start, abs=1e-3)
    assert measured.openings == pytest.approx([1.0], abs=0.01)
    assert len(measured.wrenches) == 1


def test_the_bare_cell_loads(example: Path):
    bare = re.search(r'```toml\n(format = 1\nname = "bare".*?)```', PAGE, re.DOTALL)
    assert bare
    (example / "bare.toml").write_text(bare[1].replace("my_arm.urdf", "arm/arm.xml"))
    cell = load_cell(example / "bare.toml")
    assert [axis.name for axis in cell.axes] == ["arm/turn", "arm/lift"]
    assert [tool.name for tool in cell.tools] == ["arm/hand"]


def test_the_tables_are_those_of_the_structs():
    assert fill_in_tables(PAGE) == PAGE, "run: python -m telecell.models.schema docs"


def test_no_table_is_missing():
    shown = set(re.findall(r"<!-- keys: (\w+) -->", PAGE))
    assert shown == {struct.__name__ for struct in STRUCTS}


def test_every_link_inside_the_page_leads_somewhere():
    headings = {
        re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in re.findall(r"^#+ (.*)$", PAGE, re.M)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= headings


def test_the_page_knows_the_mesh_formats():
    for suffix in MESH_FORMATS:
        assert suffix.removeprefix(".").upper() in PAGE
    assert description.FORMAT == 1
