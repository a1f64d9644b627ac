"""XML is checked and edited in place: what is not touched stays as it was, byte for byte."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import CellFileError
from telecell.models.markup import Markup, read_markup

TEXT = """<?xml version="1.0"?>
<!-- Licence: keep me. -->
<robot name='r'
       version = "1 > 0">
  <link name="a"/><link name="b">
    <mesh filename="a&amp;b.stl"/>
  </link>
</robot>
"""


def parse(folder: Path, text: str = TEXT) -> Markup:
    path = folder / "robot.xml"
    path.write_text(text, newline="")
    return read_markup(path)


def test_elements_know_their_place(tmp_path: Path):
    markup = parse(tmp_path)
    assert [(element.tag, element.line) for element in markup.elements] == [
        ("robot", 3),
        ("link", 5),
        ("link", 5),
        ("mesh", 6),
    ]
    mesh = markup.elements[3]
    assert markup.content[mesh.start : mesh.end] == b'<mesh filename="a&amp;b.stl"/>'
    assert mesh.get("filename") == "a&b.stl"
    assert [outer.tag for outer in mesh.ancestors()] == ["link", "robot"]
    assert markup.root.find("link", "mesh") is None
    assert markup.elements[2].find("mesh") is mesh
    assert markup.where(mesh, "filename") == f"{tmp_path}/robot.xml, line 6, <mesh filename>"


def test_an_edit_changes_nothing_else(tmp_path: Path):
    markup = parse(tmp_path)
    edit = markup.replace_attribute(markup.elements[3], "filename", 'x"<&é\n.stl')
    expected = TEXT.replace('"a&amp;b.stl"', "'x\"&lt;&amp;&#233;&#10;.stl'")
    assert markup.edit([edit]).decode() == expected
    assert parse(tmp_path, expected).elements[3].get("filename") == 'x"<&é\n.stl'


def test_an_attribute_is_found_among_others(tmp_path: Path):
    markup = parse(tmp_path)
    edit = markup.replace_attribute(markup.root, "version", "2")
    assert markup.edit([edit]).decode() == TEXT.replace('"1 > 0"', '"2"')


def test_a_blanked_element_leaves_its_lines(tmp_path: Path):
    markup = parse(tmp_path)
    text = markup.edit([markup.blank(markup.elements[2])]).decode()
    assert text == TEXT.replace('<link name="b">\n    <mesh filename="a&amp;b.stl"/>\n  </link>', "\n\n")
    assert text.count("\n") == TEXT.count("\n")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20).map(lambda text: f"/{text}"))
def test_any_value_survives_an_edit(tmp_path_factory: pytest.TempPathFactory, value: str):
    folder = tmp_path_factory.mktemp("markup")
    markup = parse(folder)
    text = markup.edit([markup.replace_attribute(markup.elements[3], "filename", value)]).decode()
    assert parse(folder, text).elements[3].get("filename") == value


def test_a_name_may_look_like_a_number(tmp_path: Path):
    assert parse(tmp_path, '<a name="nan" text="info"/>').root.get("name") == "nan"


@pytest.mark.parametrize("value", ["nan", "0 -inf 1", "1e400", "NaN 1"])
def test_other_values_must_be_finite(tmp_path: Path, value: str):
    with pytest.raises(CellFileError, match="a finite number is needed"):
        parse(tmp_path, f'<a pos="{value}"/>')


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path):
    markup = parse(tmp_path, "\ufeff" + TEXT)
    mesh = markup.elements[3]
    assert markup.content[mesh.start : mesh.end] == b'<mesh filename="a&amp;b.stl"/>'
