"""docs/messages.md says what is so: its tables are those of the structs, its examples are messages."""

import re
from pathlib import Path

import msgspec
import pytest

from telecell.messages import EVENT_KINDS, OPERATIONS, VERSION, AnyEvent, AnyReply, AnyRequest
from telecell.models.schema import build_message_table, fill_in_tables

PAGE = (Path(__file__).parents[2] / "docs" / "messages.md").read_text()
EXAMPLES = re.findall(r'^\{"(?:request|reply|event)".*\}$', PAGE, re.MULTILINE)


def test_the_tables_are_those_of_the_structs():
    assert fill_in_tables(PAGE) == PAGE, "run: make schemas"


@pytest.mark.parametrize("tag", OPERATIONS)
def test_every_request_is_in_the_table(tag: str):
    assert f"| `{tag}`" in build_message_table("requests")


@pytest.mark.parametrize("tag", EVENT_KINDS)
def test_every_event_is_in_the_table(tag: str):
    assert f"| `{tag}`" in build_message_table("events")


@pytest.mark.parametrize("name", ["requests", "replies", "events"])
def test_every_message_is_explained_in_one_sentence_or_two(name: str):
    for row in build_message_table(name).splitlines()[2:]:
        assert row.endswith(". |"), row


def test_only_commands_need_the_grant():
    table = build_message_table("requests")
    assert "| `move_joints` \\* |" in table
    for free in ("hello", "where", "stop", "acquire", "take_back", "list_grants", "subscribe"):
        assert f"| `{free}` |" in table


def test_the_examples_are_messages():
    request, reply, event = EXAMPLES
    assert msgspec.json.decode(request, type=AnyRequest).sequence == msgspec.json.decode(reply, type=AnyReply).sequence
    assert msgspec.json.decode(event, type=AnyEvent).request == 12


def test_the_version_is_major_and_minor():
    assert re.fullmatch(r"\d+\.\d+", VERSION)
