"""Files that are missing, too large, elsewhere, or not what they should be: one clear error each, and no harm done."""

import os
from pathlib import Path

import pytest

from telecell.errors import CellFileError
from telecell.models import load_cell
from telecell.models.files import MAX_FILE_BYTES

from .cell_samples import ARM, change, error_of, write_cell

MISTAKES = {
    # Files
    "missing model file": (
        change("arm/model.toml", "arm.xml", "gone.xml"),
        "F/arm/model.toml, file: file not found, got 'F/arm/gone.xml'. Check the name and its capitals.",
    ),
    "missing bare file": (
        change("cell.toml", "claw.urdf", "Claw.urdf"),
        "F/cell.toml, mounts.claw.file: file not found, got 'F/Claw.urdf'. Check the name and its capitals.",
    ),
    "missing mesh": (
        change("arm/arm.xml", "wedge.obj", "gone.obj"),
        "F/arm/arm.xml, line 5, <mesh file>: file not found, got 'F/arm/gone.obj'. Check the name and its capitals.",
    ),
    "a folder for a file": (
        change("arm/model.toml", "arm.xml", "../arm"),
        "F/arm/model.toml, file: a file is needed, this is a folder, got 'F/arm'. Name the file itself.",
    ),
    "a mesh above the cell": (
        change("arm/arm.xml", "wedge.obj", "../../wedge.obj"),
        "F/arm/arm.xml, line 5, <mesh file>: file outside the cell's folder, got '../../wedge.obj', limit F. "
        "Copy it beside the cell file.",
    ),
    "a mesh elsewhere": (
        change("arm/arm.xml", "wedge.obj", "/usr/share/wedge.obj"),
        "F/arm/arm.xml, line 5, <mesh file>: file outside the cell's folder, got '/usr/share/wedge.obj', limit F. "
        "Copy it beside the cell file.",
    ),
    "a model above the cell": (
        change("cell.toml", 'model = "./arm"', 'model = "../arm"'),
        "F/cell.toml, mounts.arm.model: file outside the cell's folder, got '../arm', limit F. "
        "Copy it beside the cell file.",
    ),
    "a mesh by address": (
        change("claw.urdf", '<box size="0.1 0.05 0.02"/>', '<mesh filename="package://claw/palm.stl"/>'),
        "F/claw.urdf, line 6, <mesh filename>: an address instead of a file, got 'package://claw/palm.stl'. "
        "`telecell new FILE` copies a robot and its meshes into a cell folder.",
    ),
    "an unreadable collision mesh": (
        change("claw.urdf", '<box size="0.1 0.05 0.02"/>', '<mesh filename="palm.dae"/>'),
        "F/claw.urdf, line 6, <mesh filename>: mesh format not readable, got 'palm.dae'; "
        "choose from: .stl, .obj, .msh. Convert the collision mesh.",
    ),
    "a file name with a zero byte": (
        change("cell.toml", "claw.urdf", "claw\\u0000.urdf"),
        "F/cell.toml, mounts.claw.file: not a usable file name, got 'claw\\x00.urdf'",
    ),
    # XML
    "XML syntax": (
        change("claw.urdf", "</robot>", "</robots>"),
        "F/claw.urdf: not valid XML: mismatched tag: line 31, column 2. Is it an MJCF or URDF file?",
    ),
    "garbage for XML": (
        {"claw.urdf": "\x00\x01\x02"},
        "F/claw.urdf: not valid XML: not well-formed (invalid token): line 1, column 0. Is it an MJCF or URDF file?",
    ),
    "another XML": (
        {"claw.urdf": "<sdf/>"},
        "F/claw.urdf: neither MJCF nor URDF: the outermost element must be <mujoco> or <robot>, got '<sdf>'. "
        "Convert it to one of them.",
    ),
    "a billion laughs": (
        {"arm/arm.xml": '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n' + ARM},
        "F/arm/arm.xml, line 1: document type and entity declarations are not accepted. "
        "Remove the <!DOCTYPE ...> part and write the values out.",
    ),
    "an external entity": (
        {"claw.urdf": '<?xml version="1.0"?>\n<!DOCTYPE robot SYSTEM "file:///etc/passwd">\n<robot name="r"/>'},
        "F/claw.urdf, line 2: document type and entity declarations are not accepted. "
        "Remove the <!DOCTYPE ...> part and write the values out.",
    ),
    "deep XML": (
        {"claw.urdf": "<robot>" + "<link>" * 400 + "</link>" * 400 + "</robot>"},
        "F/claw.urdf, line 1: nested too deeply, limit 300 elements",
    ),
    "an include that escapes": (
        change("arm/arm.xml", "<asset>", '<include file="../../secret.xml"/><asset>'),
        "F/arm/arm.xml, line 3, <include file>: file outside the cell's folder, got '../../secret.xml', limit F. "
        "Copy it beside the cell file.",
    ),
    "a missing include": (
        change("arm/arm.xml", "<asset>", '<include file="more.xml"/><asset>'),
        "F/arm/arm.xml, line 3, <include file>: file not found, got 'F/arm/more.xml'. Check the name and its capitals.",
    ),
    "an include of itself": (
        change("arm/arm.xml", "<asset>", '<include file="arm.xml"/><asset>'),
        "F/arm/arm.xml, line 3, <include file>: file included twice, got 'arm.xml'. Include it once.",
    ),
    "a plugin": (
        change("arm/arm.xml", "<asset>", '<extension><plugin plugin="mujoco.pid"/></extension><asset>'),
        "F/arm/arm.xml, line 3, <extension>: <extension> is not accepted. Plugins run code; remove the element.",
    ),
    "a sub-model": (
        change("arm/arm.xml", "<asset>", '<asset><model file="other.xml"/>'),
        "F/arm/arm.xml, line 3, <model>: <model> is not accepted. "
        "Sub-models are mounts of the cell: give each its own [[mounts]] entry.",
    ),
    "a soft body": (
        change("arm/arm.xml", '<site name="foot"/>', '<flexcomp name="f" type="grid" count="9 9 9"/>'),
        "F/arm/arm.xml, line 9, <flexcomp>: <flexcomp> is not accepted. Telecell knows rigid bodies only.",
    ),
    "a short file that grows": (
        change(
            "arm/arm.xml",
            "<worldbody>",
            '<worldbody><replicate count="99"><replicate count="99"><geom size="1"/></replicate></replicate>',
        ),
        "F/arm/arm.xml, line 7, <geom>: replicated too often, got 9801, limit 1000",
    ),
    "a large texture": (
        change("arm/arm.xml", "<asset>", '<asset><texture type="2d" builtin="flat" width="99999" height="9"/>'),
        "F/arm/arm.xml, line 3, <texture width>: number too large, got '99999', limit 4096",
    ),
    "too many bodies": (
        change("arm/arm.xml", "<worldbody>", '<worldbody><replicate count="600"><body/></replicate>'),
        "F/arm/arm.xml: too many bodies, got 604, limit 500",
    ),
    "an attribute that MJCF does not have": (
        change("arm/arm.xml", 'axis="0 1 0"', 'axes="0 1 0"'),
        "F/arm/arm.xml, line 15: MuJoCo refuses it: Schema violation: unrecognized attribute: 'axes' Element 'joint'",
    ),
    "a xacro file": (
        change("claw.urdf", '<link name="palm">', '<xacro:macro name="m"/><link name="palm">'),
        "F/claw.urdf, line 3, <xacro:macro>: a xacro file, not yet a URDF. Expand it first: `xacro FILE > robot.urdf`.",
    ),
    "a joint without child": (
        change("claw.urdf", '<child link="left"/>', ""),
        "F/claw.urdf, line 16, <joint>: joint without parent or child, got 'open_left'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_one_clear_error(mistake: str, tmp_path: Path):
    changes, expected = MISTAKES[mistake]
    assert error_of(tmp_path, changes) == expected


def test_missing_cell_file(tmp_path: Path):
    with pytest.raises(CellFileError, match=r"gone/cell.toml: file not found"):
        load_cell(tmp_path / "gone" / "cell.toml")


def test_file_over_ten_megabytes(tmp_path: Path):
    cell = write_cell(tmp_path)
    with (tmp_path / "arm" / "wedge.obj").open("ab") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(CellFileError) as caught:
        load_cell(cell)
    assert str(caught.value).replace(str(tmp_path), "F") == (
        "F/arm/wedge.obj: file too large, got '10,000,001 bytes', "
        "limit 10,000,000 bytes. Simplify the meshes or split the file."
    )


def test_link_that_leads_out_of_the_cell(tmp_path: Path):
    cell = write_cell(tmp_path / "cell")
    mesh = tmp_path / "cell" / "arm" / "wedge.obj"
    mesh.rename(tmp_path / "wedge.obj")
    mesh.symlink_to(tmp_path / "wedge.obj")
    with pytest.raises(CellFileError, match=r"<mesh file>: file outside the cell's folder, got 'wedge.obj'"):
        load_cell(cell)


def test_link_that_leads_to_itself(tmp_path: Path):
    cell = write_cell(tmp_path)
    (tmp_path / "claw.urdf").unlink()
    (tmp_path / "claw.urdf").symlink_to("claw.urdf")
    with pytest.raises(CellFileError, match=r"mounts.claw.file: not a usable file name, got 'claw.urdf'"):
        load_cell(cell)


def test_link_inside_the_cell_is_fine(tmp_path: Path):
    cell = write_cell(tmp_path)
    (tmp_path / "arm" / "wedge.obj").rename(tmp_path / "shared.obj")
    (tmp_path / "arm" / "wedge.obj").symlink_to(tmp_path / "shared.obj")
    load_cell(cell)


def test_pipe_is_not_waited_for(tmp_path: Path):
    cell = write_cell(tmp_path)
    (tmp_path / "claw.urdf").unlink()
    os.mkfifo(tmp_path / "claw.urdf")
    with pytest.raises(CellFileError, match="a file is needed, this is a device or pipe"):
        load_cell(cell)


@pytest.mark.parametrize("name", ["cell.toml", "arm/model.toml", "arm/arm.xml", "claw.urdf"])
def test_text_that_is_not_utf8(name: str, tmp_path: Path):
    cell = write_cell(tmp_path)
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:40] + b"\xff" + path.read_bytes()[40:])
    with pytest.raises(CellFileError) as caught:
        load_cell(cell)
    assert str(caught.value) == f"{path}: not UTF-8 text at byte 40. Save it as UTF-8."


def test_picture_that_unpacks_to_gigabytes(tmp_path: Path):
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2
    cell = write_cell(tmp_path, change("arm/arm.xml", "<asset>", '<asset><texture type="2d" file="bomb.png"/>'))
    (tmp_path / "arm" / "bomb.png").write_bytes(header)
    with pytest.raises(CellFileError, match=r"bomb.png: picture too large, got '60000 x 60000', limit 4096"):
        load_cell(cell)
