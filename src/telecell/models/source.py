"""MJCF and URDF files as MjSpec, after every file they name has been checked."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from telecell.errors import CellFileError
from telecell.models import mjcf, urdf
from telecell.models.files import resolve_inside
from telecell.models.markup import Markup, read_markup
from telecell.models.mjcf import Find, Place

MAX_SIZE = 1e6
"""Metres or kg m²; beyond it, numbers lose the digits that motion needs."""

_MUJOCO_ERRORS = (ValueError, RuntimeError, mujoco.FatalError)
_REMEDIES = {
    "mass and inertia of moving bodies": "Give the body an <inertial> with mass and inertia, or geoms with mass.",
    "singular": "Give moving bodies enough mass, and no two joints the same axis.",
    "inertia must satisfy A + B >= C": "Correct the inertia: no real body has these principal moments.",
    "inertia must have positive eigenvalues": "Correct the inertia: no real body has these moments and products.",
    "stl_decoder": "Save the mesh as binary STL with at most 200,000 faces.",
    "mesh volume is too small": "Close the mesh, or use a box, cylinder or sphere in its place.",
}


@dataclass(frozen=True, slots=True)
class Source:
    """What a model file says.

    Attributes:
        path: the file.
        spec: bodies and shapes.
        speeds: the speed limits, rad/s or m/s, by joint; MuJoCo has no place for them.
        remarks: what MuJoCo did not like, but accepted.
    """

    path: Path
    spec: mujoco.MjSpec
    speeds: dict[str, float]
    remarks: tuple[str, ...]


def load_source(path: Path, find: Find) -> Source:
    """Read an MJCF or URDF file.

    Args:
        path: the file.
        find: which files its names mean; raises when one may not be used.

    Raises:
        CellFileError: what is wrong, with file and element or line.
    """
    markup = read_markup(path)
    text = write_out(markup, find, str, trim=True).decode()
    speeds = urdf.read_speeds(markup) if markup.root.tag == "robot" else {}
    with _listen() as remarks:
        try:
            spec = mujoco.MjSpec.from_string(text)
        except _MUJOCO_ERRORS as error:
            raise _explain(error, str(path)) from None
    return Source(path, spec, speeds, tuple(dict.fromkeys(remarks)))


@contextmanager
def _listen() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings, which otherwise go to the screen, to Python and to a file in the working folder."""
    remarks: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: remarks.append(" ".join(text.split())))
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield remarks
        remarks += [str(warning.message) for warning in caught]
    finally:
        mujoco.set_mju_user_warning(before)


def find_inside(root: Path) -> Find:
    """Accept the files of a folder tree only."""

    def find(name: str, folders: Sequence[Path], where: str) -> Path:
        for folder in folders:
            found = resolve_inside(name, folder, root, where)
            if found.exists():
                return found
        return resolve_inside(name, folders[0], root, where)

    return find


def write_out(markup: Markup, find: Find, place: Place, *, trim: bool = False) -> bytes:
    """The text of an MJCF or URDF file with every file it names found; see the functions of that name."""
    if markup.root.tag == "mujoco":
        return mjcf.write_out(markup, find, place, trim=trim)
    if markup.root.tag == "robot":
        return urdf.write_out(markup, find, place, trim=trim)
    raise CellFileError(
        "neither MJCF nor URDF: the outermost element must be <mujoco> or <robot>",
        where=str(markup.path),
        value=f"<{markup.root.tag}>",
        remedy="Convert it to one of them.",
    )


def compile_spec(spec: mujoco.MjSpec, where: str) -> mujoco.MjModel:
    """Compile, with MuJoCo's refusal as a CellFileError.

    Args:
        spec: the model or cell.
        where: the file to name in an error.
    """
    with _listen() as remarks:
        try:
            model = spec.compile()
        except _MUJOCO_ERRORS as error:
            raise _explain(error, where) from None
    for remark in remarks:
        if "singular" in remark:
            raise _explain(ValueError(remark), where)
    sizes = (model.qpos0, model.body_pos, model.body_inertia, model.geom_size, model.geom_pos)
    # Written so that a NaN is too large as well.
    if not all((np.abs(values) < MAX_SIZE).all() for values in sizes) or not np.isfinite(model.dof_invweight0).all():
        raise CellFileError(
            "positions, sizes or masses too large to compute with",
            where=where,
            limit=f"{MAX_SIZE:g}",
            remedy="Metres and kilograms are needed.",
        )
    return model


def _explain(error: Exception, where: str) -> CellFileError:
    """MuJoCo's words on one line, the line of the file where it belongs."""
    text = " ".join(str(error).split()).removeprefix("XML Error: ").removeprefix("Error: ")
    line = re.search(r",? line (\d+)$", text)
    if line:
        text, where = text[: line.start()], f"{where}, line {line[1]}"
    text = text.rstrip(".")
    remedy = next((remedy for symptom, remedy in _REMEDIES.items() if symptom in text), None)
    return CellFileError(f"MuJoCo refuses it: {text}", where=where, remedy=remedy)
