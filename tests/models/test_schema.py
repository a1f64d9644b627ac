"""The schemas in the documentation are those of the structs, and the catalog keeps to them."""

import json
import tomllib
from pathlib import Path

import jsonschema
import msgspec
import pytest

from telecell.errors import UnknownName
from telecell.messages import AnyEvent, AnyReply, AnyRequest, CellState, ErrorReport, Grant, Placement, Refused
from telecell.messages.events import SegmentEnded
from telecell.messages.moves import MovePose
from telecell.messages.replies import Described, Granted, GrantEntry
from telecell.messages.settings import SetTool
from telecell.messages.stopping import Stop
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


MESSAGES: list[tuple[str, AnyRequest | AnyReply | AnyEvent | CellState]] = [
    ("requests", MovePose(sequence=1, grant=Grant("e", 1), echo=7, robot="arm", target=Placement((0.1, 0.2, 0.3)))),
    ("requests", SetTool(sequence=2, tool="jaw/fingers", opening=1.0)),
    ("requests", Stop(sequence=3, author="test")),
    ("replies", Granted(4, (GrantEntry(Grant("e", 2), "Ada", ("arm/turn",), 1.0, 0.5),))),
    ("replies", Refused(5, ErrorReport.from_error(UnknownName("robot", "arn", ["arm"])))),
    ("events", SegmentEnded(number=1, tick=2, request=3, robot="arm", segment=1, outcome="arrived")),
    ("state", CellState("3.0", "puma", 1, 0.004, "e", (), ("Bob",), (), (), (), {"door": True}, (), (), ())),
]


@pytest.mark.parametrize(("name", "message"), MESSAGES, ids=lambda value: type(value).__name__)
def test_messages_keep_to_their_schema(name: str, message: AnyRequest | AnyReply | AnyEvent | CellState):
    jsonschema.validate(json.loads(msgspec.json.encode(message)), read_schema(name))


def test_two_structs_of_one_name_keep_their_own_words():
    replies, cell = read_schema("replies"), read_schema("cell")
    assert replies["$defs"]["SignalEntry"]["description"] != cell["$defs"]["SignalEntry"]["description"]
    assert replies["$defs"]["SignalEntry"]["description"].startswith("One signal")


def test_keys_of_a_base_are_explained_too():
    properties = read_schema("requests")["$defs"]["MovePose"]["properties"]
    assert "description" in properties["sequence"]
    assert "description" in properties["branch"]
    assert Described.__name__ in read_schema("replies")["$defs"]


def test_the_command_brings_a_folder_up_to_date(tmp_path: Path):
    (tmp_path / "cells.md").write_text("<!-- keys: BeamEntry -->\nold\n<!-- end of keys -->\n")
    (tmp_path / "messages.md").write_text("<!-- messages: replies -->\nold\n<!-- end of messages -->\n")
    main(tmp_path)
    assert sorted(path.name for path in (tmp_path / "schema").iterdir()) == sorted(f"{n}.schema.json" for n in SCHEMAS)
    assert "| `start` | text | needed | frame of the light source. |" in (tmp_path / "cells.md").read_text()
    assert "| `done` |  | It was carried out. |" in (tmp_path / "messages.md").read_text()
