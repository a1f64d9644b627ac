"""Every message survives JSON, and strangers' bytes become a request or an explanation."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.messages import (
    EVENT_KINDS,
    OPERATIONS,
    AnyEvent,
    AnyReply,
    AnyRequest,
    MalformedRequest,
    Refused,
    decode_request,
)

from .samples import EVENTS, REPLIES, REQUESTS


def get_tag(message: Any) -> str:
    return str(message.__struct_config__.tag)


@pytest.mark.parametrize("request_", REQUESTS, ids=get_tag)
def test_a_request_comes_out_of_json_as_it_went_in(request_: AnyRequest):
    assert decode_request(msgspec.json.encode(request_)) == request_


@pytest.mark.parametrize("reply", REPLIES, ids=get_tag)
def test_a_reply_comes_out_of_json_as_it_went_in(reply: AnyReply):
    assert msgspec.json.decode(msgspec.json.encode(reply), type=AnyReply) == reply


@pytest.mark.parametrize("event", EVENTS, ids=get_tag)
def test_an_event_comes_out_of_json_as_it_went_in(event: AnyEvent):
    assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_there_is_a_sample_of_every_kind():
    assert sorted(map(get_tag, REQUESTS)) == list(OPERATIONS)
    assert sorted(map(get_tag, EVENTS)) == sorted(EVENT_KINDS)
    assert {type(reply) for reply in REPLIES} == set(AnyReply.__args__)


def test_every_sample_sets_every_field():
    for sample in (*REQUESTS, *EVENTS):
        names = [field.name for field in msgspec.structs.fields(sample) if getattr(sample, field.name) is None]
        assert names == [], f"{get_tag(sample)} leaves out {names}"


@given(st.binary(max_size=200))
def test_any_bytes_can_be_answered(packet: bytes):
    decoded = decode_request(packet)
    assert isinstance(decoded.sequence, int)


@given(st.sampled_from(REQUESTS), st.integers(0, 400), st.binary(min_size=1, max_size=3), st.integers(0, 3))
def test_a_damaged_request_can_be_answered(request_: AnyRequest, place: int, noise: bytes, cut: int):
    packet = msgspec.json.encode(request_)
    place %= len(packet)
    decoded = decode_request(packet[:place] + noise + packet[place + cut :])
    assert isinstance(decoded, MalformedRequest | AnyRequest)


@pytest.mark.parametrize(
    ("packet", "sequence", "reason"),
    [
        (b"", 0, "truncated"),
        (b"{}", 0, "request"),
        (b'{"request": "fly", "sequence": 9}', 9, "fly"),
        (b'{"request": "halt", "sequence": 9}', 9, "robot"),
        (b'{"request": "halt", "sequence": 9, "robot": "puma", "sped": 1}', 9, "sped"),
        (b'{"request": "move_joints", "sequence": 9, "robot": "puma", "joints": [null]}', 9, "float"),
        (b'{"request": "halt", "sequence": "nine", "robot": "puma"}', 0, "int"),
        (b'{"request": "describe", "sequence": 9, "sender": "' + b"x" * 65 + b'"}', 9, "length <= 64"),
        (b'{"a": ' + b"[" * 100_000, 0, ""),
        (b'{"request": "halt", "robot": "\xff"}', 0, ""),
    ],
)
def test_what_is_no_request_keeps_its_number_and_says_why(packet: bytes, sequence: int, reason: str):
    decoded = decode_request(packet)
    assert isinstance(decoded, MalformedRequest)
    assert decoded.sequence == sequence
    assert reason in decoded.reason


def test_numbers_that_json_cannot_carry_become_a_malformed_request():
    nowhere = msgspec.structs.replace(REQUESTS[7], joints=(float("nan"),))
    assert isinstance(decode_request(msgspec.json.encode(nowhere)), MalformedRequest)


def test_a_refusal_says_what_where_value_and_limit_in_json():
    refused = next(reply for reply in REPLIES if isinstance(reply, Refused))
    written = msgspec.json.decode(msgspec.json.encode(refused))
    assert (written["error"]["kind"], written["error"]["value"], written["error"]["limit"]) == ("JointOutOfRange", 2, 1)
