"""Bring a robot file and everything it names into a folder of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from telecell.errors import CellFileError
from telecell.models.files import resolve
from telecell.models.markup import read_markup
from telecell.models.mjcf import Find
from telecell.models.source import write_out

ASSETS = "assets"


def copy_model(source: Path, folder: Path, find: Find) -> Path:
    """Copy an MJCF or URDF file with its meshes and textures; includes are written out.

    Args:
        source: the file.
        folder: an existing, empty folder.
        find: which files its names mean.

    Returns:
        The copy.

    Raises:
        CellFileError: a file is missing or may not be used.
    """
    markup = read_markup(source)
    found: list[Path] = []

    def note(path: Path) -> str:
        found.append(path)
        return ""

    write_out(markup, find, note)
    names = _name_assets(found)
    target = folder / source.name
    target.write_bytes(write_out(markup, find, names.__getitem__))
    for path, name in names.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
    return target


def _name_assets(paths: Sequence[Path]) -> dict[Path, str]:
    """Names in the copy: the folders in which the files differ stay, so that equal file names do not clash."""
    if not paths:
        return {}
    common = os.path.commonpath([path.parent for path in paths])
    return {path: (Path(ASSETS) / path.relative_to(common)).as_posix() for path in paths}


class Finder:
    """Finds what a robot file names, as ROS would, without ROS.

    Args:
        source: the robot file.
        packages: folders of ROS packages by name, where they are not beside the file.
    """

    def __init__(self, source: Path, packages: Mapping[str, Path]):
        self._above = source.resolve().parents
        self._packages = packages

    def find(self, name: str, folders: Sequence[Path], where: str) -> Path:
        """The file that a name means.

        Raises:
            CellFileError: there is none.
        """
        scheme, separator, rest = name.partition("://")
        if not separator:
            candidates = [resolve(name, folder, where) for folder in folders]
            remedy = "Check the name and its capitals."
        elif scheme == "file":
            candidates = [resolve(rest, Path("/"), where)]
            remedy = "Check the name and its capitals."
        elif scheme in ("package", "model"):
            package, _, path = rest.partition("/")
            candidates = [resolve(path, folder, where) for folder in self._list_folders(package)]
            remedy = f"Say where the package is: `telecell new --package {package}=DIR`."
        else:
            raise CellFileError("not a kind of address that is known", where=where, value=name)
        for candidate in candidates:
            if candidate.is_file():
                return candidate
        raise CellFileError("file not found", where=where, value=name, remedy=remedy)

    def _list_folders(self, package: str) -> list[Path]:
        """Where a package may be: as told, a folder of that name above the file, or beside one of those above."""
        if package in self._packages:
            return [self._packages[package]]
        return [
            folder
            for above in self._above
            for folder in (above if above.name == package else above / package, above / "share" / package)
            if folder.is_dir()
        ]
