import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import CellFileError
from telecell.models import load_cell
from telecell.models.archive import (
    CELL_FILE,
    MAX_FILES,
    PART_BYTES,
    ArchiveIndex,
    index_archive,
    join_archive,
    pack_cell,
    split_archive,
    unpack_cell,
)
from telecell.models.files import MAX_FILE_BYTES
from telecell.models.source import compile_spec
from telecell.models.world import build_world

from .cell_samples import write_cell

PUMA = pack_cell(load_cell("puma"))
CATALOG_FILES = [f"catalog_models/block/{name}" for name in ("block.xml", "model.toml", "PROVENANCE.md")]


def list_files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def build_zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["puma", "cirsse"])
def test_an_unpacked_cell_is_the_same_cell(name: str, tmp_path: Path):
    cell = load_cell(name)
    again = load_cell(unpack_cell(pack_cell(cell), tmp_path / "copy"))
    for field in ("name", "axes", "robots", "tools", "signals", "frames", "cameras", "poses", "start"):
        assert getattr(again, field) == getattr(cell, field)
    model, model_again = (compile_spec(build_world(c), c.name) for c in (cell, again))
    np.testing.assert_array_equal(model_again.body_inertia, model.body_inertia)
    np.testing.assert_array_equal(model_again.geom_size, model.geom_size)


def test_an_unpacked_cell_needs_no_catalog(tmp_path: Path):
    again = load_cell(unpack_cell(PUMA, tmp_path / "copy"))
    assert all(mount.model.path.is_relative_to(tmp_path) for mount in again.mounts)


def test_own_models_keep_their_relative_paths(tmp_path: Path):
    path = write_cell(tmp_path / "own")
    (path.parent / "notes.txt").write_text("nobody's business")
    copy = unpack_cell(pack_cell(load_cell(path)), tmp_path / "copy")
    assert list_files(copy.parent) - set(CATALOG_FILES) == list_files(path.parent) - {"notes.txt"}
    assert load_cell(copy).axes == load_cell(path).axes


def test_equal_cells_give_equal_bytes(tmp_path: Path):
    first, second = (pack_cell(load_cell(write_cell(tmp_path / name))) for name in ("a", "b"))
    assert first == second
    assert index_archive(first).hash == index_archive(second).hash


def test_a_packed_archive_can_be_packed_again(tmp_path: Path):
    once = load_cell(unpack_cell(PUMA, tmp_path / "once"))
    twice = load_cell(unpack_cell(pack_cell(once), tmp_path / "twice"))
    assert twice.axes == once.axes


def test_an_archive_survives_its_parts():
    archive = bytes(range(256)) * (3 * PART_BYTES // 256) + b"rest"
    index = index_archive(archive)
    assert (index.bytes, index.parts) == (len(archive), 4)
    assert index.part_names == [f"{index.hash}.{number}" for number in range(4)]
    assert join_archive(split_archive(archive), index) == archive


def test_a_damaged_part_is_noticed():
    index = index_archive(PUMA)
    with pytest.raises(CellFileError, match="the archive of the cell is damaged"):
        join_archive([PUMA[:-1]], index)


def test_an_index_is_plain():
    assert index_archive(b"") == ArchiveIndex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0, 0)


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "a\\b", "./a", "a//b", "a/", "b\x07"])
def test_no_file_leaves_the_folder(name: str, tmp_path: Path):
    archive = build_zip({CELL_FILE: b"", name: b"x"})
    with pytest.raises(CellFileError, match="not the name of a file inside the archive"):
        unpack_cell(archive, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path):
    archive = build_zip({CELL_FILE: bytes(MAX_FILE_BYTES + 1)})
    assert len(archive) < MAX_FILE_BYTES // 100
    with pytest.raises(CellFileError, match=r"too large for an archive.*Simplify the meshes"):
        unpack_cell(archive, tmp_path / "copy")


def test_a_file_that_holds_more_than_it_says_is_refused(tmp_path: Path):
    archive = build_zip({CELL_FILE: b"x" * 1000})
    shorter = archive.replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(CellFileError, match=r"another length than stated|not an archive"):
        unpack_cell(shorter, tmp_path / "copy")


def test_too_many_files_are_refused(tmp_path: Path):
    archive = build_zip({f"f{number}": b"" for number in range(MAX_FILES + 1)})
    with pytest.raises(CellFileError, match="too many files, got 2001, limit 2000"):
        unpack_cell(archive, tmp_path / "copy")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused(tmp_path: Path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a", b"1")
        archive.writestr("a", b"2")
    with pytest.raises(CellFileError, match="two files of the same name"):
        unpack_cell(buffer.getvalue(), tmp_path / "copy")


def test_a_file_where_a_folder_is_needed_is_refused(tmp_path: Path):
    with pytest.raises(CellFileError, match="cannot be unpacked"):
        unpack_cell(build_zip({CELL_FILE: b"", "a": b"", "a/b": b""}), tmp_path / "copy")


def test_an_archive_of_something_else_is_refused(tmp_path: Path):
    with pytest.raises(CellFileError, match=r"'cell\.toml' is missing in it"):
        unpack_cell(build_zip({"a": b""}), tmp_path / "copy")


def test_nothing_is_unpacked_over_other_files(tmp_path: Path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(CellFileError, match="the folder is not empty"):
        unpack_cell(PUMA, tmp_path)


@given(st.binary(max_size=300))
def test_no_bytes_do_harm(tmp_path_factory: pytest.TempPathFactory, noise: bytes):
    with pytest.raises(CellFileError):
        unpack_cell(noise, tmp_path_factory.mktemp("noise") / "copy")


@given(st.lists(st.tuples(st.integers(0, len(PUMA) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_damaged_archive_is_refused_or_stays_in_its_folder(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
):
    folder = tmp_path_factory.mktemp("damaged")
    damaged = bytearray(PUMA)
    for position, value in changes:
        damaged[position] = value
    try:
        path = unpack_cell(bytes(damaged), folder / "copy")
    except CellFileError:
        return
    assert path == folder / "copy" / CELL_FILE
    assert [item.name for item in folder.iterdir()] == ["copy"]
