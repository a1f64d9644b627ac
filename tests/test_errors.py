import inspect
import re

import pytest

from telecell import errors
from telecell.errors import InputError, JointOutOfRange, TelecellError, UnknownName

ROBOTS = ["puma560", "rx60", "cr1"]


def test_the_text_says_where_what_value_limit_and_remedy():
    error = JointOutOfRange(
        "joint out of range", where="puma/joint2", value=46.0, limit="-225 ... 45 deg", remedy="Choose less."
    )
    assert str(error) == "puma/joint2: joint out of range, got 46.0, limit -225 ... 45 deg. Choose less."


def test_the_text_leaves_out_what_is_not_known():
    assert str(TelecellError("no answer")) == "no answer"
    assert str(TelecellError("no answer", remedy="Try again.")) == "no answer. Try again."


def test_the_text_lists_the_choices():
    error = InputError("no such drive", where="hand.toml", value="steam", choices=["pneumatic", "servo"])
    assert str(error) == "hand.toml: no such drive, got 'steam'; choose from: pneumatic, servo"


@pytest.mark.parametrize("value", [0, 0.0, "", ()])
def test_an_empty_or_zero_value_is_still_shown(value):
    assert str(TelecellError("wrong", value=value)) == f"wrong, got {value!r}"


def test_a_program_finds_everything_in_fields():
    error = TelecellError("too far", where="puma", value=2.0, limit=1.0, choices=["a", "b"], remedy="Come nearer.")
    fields = (error.what, error.where, error.value, error.limit, error.choices, error.remedy)
    assert fields == ("too far", "puma", 2.0, 1.0, ("a", "b"), "Come nearer.")


def test_an_unknown_name_suggests_the_nearest_known_one():
    error = UnknownName("robot", "puma506", ROBOTS)
    assert str(error) == (
        "no robot of that name, got 'puma506'; choose from: cr1, puma560, rx60. Did you mean 'puma560'?"
    )
    assert error.kind == "robot"


def test_a_name_like_none_of_the_known_ones_gets_no_suggestion():
    error = UnknownName("robot", "zeppelin", ROBOTS, where="cell.toml, mounts[0].model")
    assert error.remedy is None
    assert str(error) == (
        "cell.toml, mounts[0].model: no robot of that name, got 'zeppelin'; choose from: cr1, puma560, rx60"
    )


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes():
    assert drawn_tree() == {
        name: cls.__bases__[0].__name__
        for name, cls in inspect.getmembers(errors, inspect.isclass)
        if issubclass(cls, TelecellError)
    }


def drawn_tree() -> dict[str, str]:
    """Each drawn class with its parent: the nearest line above that is less indented."""
    branch = {0: "Exception"}
    parents = {}
    for match in re.finditer(r"^([ │├└─]{4,})(\w+)", errors.__doc__ or "", re.MULTILINE):
        depth, name = len(match[1]), match[2]
        parents[name] = branch[max(other for other in branch if other < depth)]
        branch = {other: drawn for other, drawn in branch.items() if other < depth} | {depth: name}
    return parents
