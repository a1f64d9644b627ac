"""The schemas in the documentation are those of the structs, and the catalog keeps to them."""

import json
import tomllib
from pathlib import Path

import jsonschema
import msgspec
import pytest

from telecell.messages import AnyRequest, MoveAxes, SetTool
from telecell.models import description
from telecell.models.catalog import CELLS, MODELS
from telecell.models.schema import SCHEMAS, build_schema, main, read_meanings, read_summary

from .cell_samples import FILES

SCHEMA_FOLDER = Path(__file__).parents[2] / "docs" / "schema"
STRUCTS = [
    kind
    for kind in vars(description).values()
    if isinstance(kind, type) and issubclass(kind, description.Entry) and kind is not description.Entry
]


def read_schema(name: str) -> dict:
    return json.loads((SCHEMA_FOLDER / f"{name}.schema.json").read_text())


@pytest.mark.parametrize("name", SCHEMAS)
def test_committed_schema_is_the_generated_one(name: str):
    committed = (SCHEMA_FOLDER / f"{name}.schema.json").read_text()
    assert committed == build_schema(name), "run: python -m telecell.models.schema docs"


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_a_schema(name: str):
    jsonschema.Draft202012Validator.check_schema(read_schema(name))


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_key_has_a_meaning(struct: type[msgspec.Struct]):
    assert read_summary(struct).endswith(".")
    assert list(read_meanings(struct)) == list(struct.__struct_fields__)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*/model.toml")), ids=lambda path: path.parent.name)
def test_catalog_models_keep_to_the_schema(path: Path):
    jsonschema.validate(tomllib.loads(path.read_text()), read_schema("model"))


@pytest.mark.parametrize("path", sorted(CELLS.glob("*/cell.toml")), ids=lambda path: path.parent.name)
def test_catalog_cells_keep_to_the_schema(path: Path):
    jsonschema.validate(tomllib.loads(path.read_text()), read_schema("cell"))


def test_an_unknown_key_breaks_the_schema():
    table = tomllib.loads(FILES["cell.toml"])
    jsonschema.validate(table, read_schema("cell"))
    with pytest.raises(jsonschema.ValidationError, match="colour"):
        jsonschema.validate(table | {"colour": 1}, read_schema("cell"))


@pytest.mark.parametrize(
    "request_", [MoveAxes(sequence=1, targets={"arm/turn": 0.5}), SetTool(sequence=2, tool="jaw/fingers", opening=1.0)]
)
def test_requests_keep_to_their_schema(request_: AnyRequest):
    jsonschema.validate(json.loads(msgspec.json.encode(request_)), read_schema("requests"))


def test_the_command_brings_a_folder_up_to_date(tmp_path: Path):
    (tmp_path / "cells.md").write_text("<!-- keys: BeamEntry -->\nold\n<!-- end of keys -->\n")
    main(tmp_path)
    assert sorted(path.name for path in (tmp_path / "schema").iterdir()) == sorted(f"{n}.schema.json" for n in SCHEMAS)
    assert "| `start` | text | needed | frame of the light source. |" in (tmp_path / "cells.md").read_text()
