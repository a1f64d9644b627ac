"""An error crosses to another process and is the same error there."""

import inspect
import math

import msgspec
import pytest

from telecell import errors
from telecell.errors import JointOutOfRange, TelecellError, UnknownName
from telecell.messages import ErrorReport

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, TelecellError)]


def cross(error: TelecellError) -> TelecellError:
    """To plain values, through JSON, and back."""
    packet = msgspec.json.encode(ErrorReport.from_error(error))
    return msgspec.json.decode(packet, type=ErrorReport).to_error()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not UnknownName])
def test_every_error_comes_back_as_itself(kind: type[TelecellError]):
    error = kind("too far", where="puma", value=2.0, limit="1 m", choices=["a", "b"], remedy="Come nearer.")
    back = cross(error)
    assert type(back) is kind
    assert str(back) == str(error)
    assert (back.what, back.where, back.value, back.limit) == ("too far", "puma", 2.0, "1 m")
    assert (back.choices, back.remedy) == (("a", "b"), "Come nearer.")


def test_an_unknown_name_comes_back_with_its_choices():
    error = UnknownName("robot", "puma506", ["puma560", "rx60"], where="cell puma")
    back = cross(error)
    assert type(back) is UnknownName
    assert str(back) == str(error)
    assert back.choices == ("puma560", "rx60")


@pytest.mark.parametrize("value", [math.nan, math.inf, (1, 2), [0.5], b"x"])
def test_a_value_that_json_has_no_word_for_crosses_as_text(value: object):
    error = JointOutOfRange("no position", value=value)
    assert cross(error).value == repr(value)
    assert str(cross(error)) == str(error)


def test_an_error_of_a_newer_release_is_still_an_error():
    report = ErrorReport("SomethingNew", "text", "what")
    assert type(report.to_error()) is TelecellError


def test_no_kind_can_name_anything_but_an_error():
    assert type(ErrorReport("Sequence", "text", "what").to_error()) is TelecellError


def test_a_report_is_short_whatever_a_stranger_sent():
    report = ErrorReport.from_error(UnknownName("robot", "x" * 1_000_000, ["y" * 100_000] * 3))
    assert len(msgspec.json.encode(report)) < 20_000
