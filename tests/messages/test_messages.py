"""Every message survives its way through JSON, and every stranger's bytes can be answered."""

import math
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell import errors
from telecell.errors import JointOutOfRange, TelecellError, UnknownName, VersionMismatch
from telecell.messages import (
    EVENT_KINDS,
    OPERATIONS,
    VERSION,
    AnyEvent,
    AnyReply,
    ErrorReport,
    MalformedRequest,
    decode_request,
    validate_version,
)
from tests.messages.samples import EVENTS, REPLIES, REQUESTS


def name_of(message: msgspec.Struct) -> str:
    return type(message).__name__


@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_a_request_survives_json(message: msgspec.Struct):
    assert decode_request(msgspec.json.encode(message)) == message


@pytest.mark.parametrize(
    ("message", "union"), [(m, AnyReply) for m in REPLIES] + [(m, AnyEvent) for m in EVENTS], ids=str
)
def test_replies_and_events_survive_json_and_messagepack(message: msgspec.Struct, union: object):
    assert msgspec.json.decode(msgspec.json.encode(message), type=union) == message
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=union) == message


def test_every_operation_and_kind_of_event_has_one_name():
    assert len(set(OPERATIONS)) == len(OPERATIONS) == len(REQUESTS)
    assert len(set(EVENT_KINDS)) == len(EVENT_KINDS) == len(EVENTS) == len(get_args(AnyEvent))


@given(st.binary(max_size=200))
def test_garbage_is_answered_as_garbage(noise: bytes):
    assert isinstance(decode_request(noise), MalformedRequest)


@pytest.mark.parametrize(
    ("packet", "sequence", "reason"),
    [
        (b'{"request": "move_joints", "sequence": 7}', 7, "missing required field `robot`"),
        (b'{"request": "fly", "sequence": 8}', 8, "Invalid value 'fly'"),
        (b'{"request": "describe", "sequence": 9, "colour": 1}', 9, "unknown field `colour`"),
        (b'{"request": "where", "sequence": "x", "robot": "puma"}', 0, "Expected `int`"),
        (b'{"request": "move_joints", "sequence": 1, "robot": "puma", "joints": [NaN]}', 0, "malformed"),
        (b"[" * 100_000, 0, "Expected `object`"),
    ],
)
def test_a_malformed_request_keeps_its_number_and_says_what_is_wrong(packet: bytes, sequence: int, reason: str):
    decoded = decode_request(packet)
    assert isinstance(decoded, MalformedRequest)
    assert decoded.sequence == sequence
    assert reason in decoded.reason


def test_another_minor_version_is_welcome_and_another_major_one_refused_with_both_numbers():
    major = int(VERSION.partition(".")[0])
    validate_version(f"{major}.99")
    with pytest.raises(VersionMismatch, match=rf"got '{major + 1}\.0', limit {VERSION}"):
        validate_version(f"{major + 1}.0")
    with pytest.raises(VersionMismatch):
        validate_version("")


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, TelecellError)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not UnknownName])
def test_an_error_survives_its_report(kind: type[TelecellError]):
    error = kind("too far", where="axis puma/waist", value=1.5, limit="1 rad", choices=("a", "b"), remedy="Less.")
    again = ErrorReport.from_error(error).to_error()
    assert type(again) is kind
    assert str(again) == str(error)
    assert (again.what, again.where, again.value, again.limit) == ("too far", "axis puma/waist", 1.5, "1 rad")
    assert (again.choices, again.remedy) == (("a", "b"), "Less.")


def test_an_error_with_a_constructor_of_its_own_survives_too():
    again = ErrorReport.from_error(UnknownName("robot", "pumma", ["puma"])).to_error()
    assert isinstance(again, UnknownName)
    assert "Did you mean 'puma'?" in str(again)


def test_values_that_json_cannot_carry_become_words():
    report = ErrorReport.from_error(JointOutOfRange("no position", value=math.nan, limit=[1, 2]))
    assert (report.value, report.limit) == ("nan", "[1, 2]")
    assert b"null" not in msgspec.json.encode(report.value)


def test_an_error_of_another_release_is_still_an_error():
    report = ErrorReport("FluxCapacitorEmpty", "no flux", "no flux")
    assert type(report.to_error()) is TelecellError
