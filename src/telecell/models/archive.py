"""A cell as one archive: whoever has it can load the cell without its folder and without the same catalog.

The archive is a ZIP file of the cell file and of every model file, mesh and texture that the cell uses, under their
own relative paths; models of the catalog go along in a folder of their own. Equal cells give equal bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from telecell.errors import CellFileError
from telecell.models import catalog
from telecell.models.cell import Cell
from telecell.models.description import CellFile, MountEntry
from telecell.models.files import MAX_FILE_BYTES, read_bytes, read_text, read_toml
from telecell.models.markup import read_markup
from telecell.models.source import find_inside, write_out

CELL_FILE = "cell.toml"
CATALOG_FOLDER = "catalog_models"
PROVENANCE = "PROVENANCE.md"
MAX_FILES = 2000
MAX_BYTES = 64 * 1024 * 1024
"""Of an archive, packed and unpacked."""

INDEX = "index"
"""What the index of an archive is asked for by, where its parts are asked for by their names."""

PART_BYTES = 1024 * 1024
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o644 << 16
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,  # a compression or version that Python does not know
    RuntimeError,  # encrypted
    EOFError,
    OSError,  # offsets that lead nowhere
    ValueError,
    OverflowError,
)


class ArchiveIndex(msgspec.Struct, frozen=True):
    """What has to be known to fetch an archive piece by piece.

    Attributes:
        hash: SHA-256 of the whole, in hexadecimal.
        bytes: length of the whole.
        parts: how many pieces.
    """

    hash: str
    bytes: int
    parts: int

    @property
    def part_names(self) -> list[str]:
        """By which the pieces are asked for, in their order."""
        return [f"{self.hash}.{number}" for number in range(self.parts)]


def pack_cell(cell: Cell) -> bytes:
    """The archive of a cell that was loaded from a cell file.

    Raises:
        CellFileError: a file has vanished, or there are too many or too large ones.
    """
    root = cell.path.parent.resolve()
    text, models = _point_into_archive(cell)
    files = {CELL_FILE: text.encode()}
    for mount in cell.file.mounts:
        if mount.file is not None:
            files |= _collect_source(root / mount.file, root, "")
        elif mount.model in models:
            folder = catalog.get_model_folder(str(mount.model))
            files |= _collect_folder(folder, folder.resolve(), f"{models[mount.model]}/")
        else:
            files |= _collect_folder(root / str(mount.model), root, "")
    _validate_sizes([len(content) for content in files.values()], str(cell.path))
    return _write_zip(files)


def unpack_cell(archive: bytes, folder: Path) -> Path:
    """Write the files of an archive; returns the cell file.

    Args:
        archive: from whomever.
        folder: made if it is not there; must be empty.

    Raises:
        CellFileError: not an archive of a cell, or the folder is not empty; nothing was written.
    """
    files = _read_zip(archive)
    if CELL_FILE not in files:
        raise CellFileError("no archive of a cell", where="archive", remedy=f"{CELL_FILE!r} is missing in it.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CellFileError("the folder is not empty", where=str(folder), remedy="Choose another one.")
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise CellFileError(f"cannot be unpacked: {error.strerror}", where=str(folder)) from None
    return folder / CELL_FILE


# By parts


def index_archive(archive: bytes) -> ArchiveIndex:
    """What somebody has to know who wants to fetch an archive."""
    return ArchiveIndex(hashlib.sha256(archive).hexdigest(), len(archive), len(split_archive(archive)))


def split_archive(archive: bytes) -> list[bytes]:
    """The parts of an archive, each short enough for one message."""
    return [archive[start : start + PART_BYTES] for start in range(0, len(archive), PART_BYTES)]


def join_archive(parts: Sequence[bytes], index: ArchiveIndex) -> bytes:
    """The archive again.

    Raises:
        CellFileError: it is not the one that the index tells of.
    """
    archive = b"".join(parts)
    if hashlib.sha256(archive).hexdigest() != index.hash:
        raise CellFileError(
            "the archive of the cell is damaged", value=f"{len(archive)} bytes", limit=f"{index.bytes} bytes"
        )
    return archive


# Packing


def _point_into_archive(cell: Cell) -> tuple[str, dict[str, str]]:
    """The text of the cell file with the models of the catalog named as folders, and those folders by model."""
    names = {str(mount.model) for mount in cell.file.mounts if mount.model is not None}
    models = {name: f"{CATALOG_FOLDER}/{name}" for name in sorted(names) if not name.startswith(("./", "../", "/"))}
    text = read_text(cell.path)
    for name, folder in models.items():
        text = re.sub(rf"""(\bmodel\s*=\s*)(["']){re.escape(name)}\2""", rf"\g<1>\g<2>./{folder}\g<2>", text)
    _validate_rewritten(text, cell, models)
    return text, models


def _validate_rewritten(text: str, cell: Cell, models: Mapping[str, str]) -> None:
    """Make sure that nothing but the names of models has changed."""
    wanted = msgspec.structs.replace(cell.file, mounts=tuple(_rename(mount, models) for mount in cell.file.mounts))
    if msgspec.toml.decode(text, type=CellFile) != wanted:
        raise CellFileError(
            "the models are named in a way that cannot be packed",
            where=str(cell.path),
            remedy='Write model = "name" on one line.',
        )


def _rename(mount: MountEntry, models: Mapping[str, str]) -> MountEntry:
    folder = models.get(str(mount.model))
    return mount if folder is None else msgspec.structs.replace(mount, model=f"./{folder}")


def _collect_folder(folder: Path, root: Path, prefix: str) -> dict[str, bytes]:
    """The files of a model with a description."""
    description = folder / "model.toml"
    source = folder / read_toml(description, catalog.ModelFile).file
    files = {_name(description, root, prefix): read_bytes(description)}
    if (folder / PROVENANCE).is_file():
        files[_name(folder / PROVENANCE, root, prefix)] = read_bytes(folder / PROVENANCE)
    return files | _collect_source(source, root, prefix)


def _collect_source(source: Path, root: Path, prefix: str) -> dict[str, bytes]:
    """An MJCF or URDF file and everything it names."""
    found = [source]
    find = find_inside(root)

    def note(name: str, folders: Sequence[Path], where: str) -> Path:
        found.append(find(name, folders, where))
        return found[-1]

    write_out(read_markup(source), note, str, trim=True)
    return {_name(path, root, prefix): read_bytes(path) for path in found}


def _name(path: Path, root: Path, prefix: str) -> str:
    return prefix + path.resolve().relative_to(root).as_posix()


def _write_zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _FIRST_DATE)
            entry.external_attr = _PLAIN_FILE
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return buffer.getvalue()


# Unpacking


def _read_zip(archive: bytes) -> dict[str, bytes]:
    """The files by name, all checked before any is written."""
    _validate_sizes([len(archive)], "archive", largest=MAX_BYTES)
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as source:
            entries = source.infolist()
            _validate_sizes([entry.file_size for entry in entries], "archive")
            _validate_names([entry.filename for entry in entries])
            return {entry.filename: _read_entry(source, entry) for entry in entries}
    except _ZIP_ERRORS as error:
        raise CellFileError(f"not an archive: {error}", where="archive") from None


def _read_entry(source: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What the entry holds, which may be more than it says."""
    with source.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise CellFileError("another length than stated", where=f"archive, {entry.filename[:200]}")
    return content


def _validate_names(names: Sequence[str]) -> None:
    for name in names:
        path = PurePosixPath(name)
        plain = name == path.as_posix() and not path.is_absolute() and "\\" not in name and name.isprintable()
        if not plain or not path.parts or ".." in path.parts:
            raise CellFileError("not the name of a file inside the archive", where="archive", value=name[:200])
    if len(set(names)) != len(names):
        raise CellFileError("two files of the same name", where="archive")


def _validate_sizes(sizes: Sequence[int], where: str, *, largest: int = MAX_FILE_BYTES) -> None:
    if len(sizes) > MAX_FILES:
        raise CellFileError("too many files", where=where, value=len(sizes), limit=MAX_FILES)
    if max(sizes, default=0) > largest or sum(sizes) > MAX_BYTES:
        raise CellFileError(
            "too large for an archive",
            where=where,
            value=f"{sum(sizes):,} bytes",
            limit=f"{largest:,} bytes for a file, {MAX_BYTES:,} for all",
            remedy="Simplify the meshes.",
        )
