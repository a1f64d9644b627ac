"""`telecell new`: a cell around a robot file that nobody here has seen before."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path

import msgspec

from telecell.errors import CellFileError
from telecell.facilities.clearance import Start, propose_start
from telecell.facilities.copying import Finder, copy_model
from telecell.facilities.wording import word_cell, word_model
from telecell.models.axis import Axis, read_pose
from telecell.models.cell import WORLD
from telecell.models.description import CellFile, CellPoseEntry, CollisionEntry, MountEntry, RobotEntry
from telecell.models.files import check_file
from telecell.models.loader import build_cell, load_cell
from telecell.models.markup import read_markup
from telecell.models.model import Model
from telecell.models.proposal import make_name
from telecell.models.source import compile_spec, load_source
from telecell.models.tree import Chain, Reading, read_tree
from telecell.models.urdf import list_unreadable
from telecell.models.world import compile_world

START = "start"


def write_proposal(source: Path, folder: Path, packages: Mapping[str, Path] | None = None) -> Path:
    """Make a cell folder with a copy of a robot file, its meshes, and a proposed `model.toml` and `cell.toml`.

    Args:
        source: an MJCF or URDF file; it may lie anywhere.
        folder: to be made; nothing is left of it when something goes wrong.
        packages: folders of ROS packages by name, where they are not beside the file.

    Returns:
        The path of the `cell.toml`.

    Raises:
        CellFileError: the folder exists, or the robot file cannot be used; with file, line and remedy.
    """
    if os.path.lexists(folder):
        raise CellFileError(
            "the folder exists already",
            where=str(folder),
            remedy="Choose another one with --out, or remove it.",
        )
    check_file(source)
    proposal = _Proposal(source, Finder(source, packages or {}))
    try:
        with tempfile.TemporaryDirectory(dir=_find_existing(folder.absolute().parent), prefix=".telecell-") as scratch:
            finished = Path(scratch) / "cell"
            proposal.write(finished)
            folder.parent.mkdir(parents=True, exist_ok=True)
            finished.rename(folder)
    except OSError as error:
        raise CellFileError(f"cannot be written: {error.strerror}", where=str(folder)) from None
    return folder / "cell.toml"


def _find_existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


class _Proposal:
    """A robot file, understood; mistakes in it are found before anything is written."""

    def __init__(self, source: Path, finder: Finder):
        self._path = source
        self._finder = finder
        markup = read_markup(source)
        drawing = load_source(source, finder.find)
        self._model = Model(source.stem, None, source, drawing)
        self._reading = read_tree(compile_spec(drawing.spec.copy(), str(source)))
        self._remarks = [f"MuJoCo says: {remark}." for remark in drawing.remarks]
        if unreadable := len(list_unreadable(markup)):
            self._remarks.append(f"MuJoCo cannot read {unreadable} drawings; collision shapes are shown instead.")
        self._title = markup.root.get("name") or markup.root.get("model") or source.stem
        name = make_name(self._title, "robot").replace(".", "_")
        self._name = "robot" if name == WORLD else name

    def write(self, folder: Path) -> None:
        """Write the cell folder, and load it to be sure."""
        own_folder = folder / self._name
        own_folder.mkdir(parents=True)
        copy_model(self._path, own_folder, self._finder.find)
        axes = self._model.build_axes(self._name, {}, str(self._path))
        text = word_model(self._model, axes, self._list_roles(), self._remarks)
        (own_folder / "model.toml").write_text(text)
        path = folder / "cell.toml"
        bare = self._build_file()
        cell = build_cell(bare, path)
        own_poses = [read_pose(pose.joints_deg_m, axes, name) for name, pose in self._model.description.poses.items()]
        start = propose_start(cell, own_poses)
        path.write_text(word_cell(self._add_start(bare, axes, start), start))
        compile_world(load_cell(path))

    def _build_file(self) -> CellFile:
        return CellFile(
            format=1,
            name=self._name,
            title=self._title,
            mounts=(MountEntry(name=self._name, model=f"./{self._name}"),),
            robots=tuple(
                self._build_robot(arm, name)
                for arm, name in zip(self._reading.arms, _name_arms(self._reading, self._name), strict=True)
            ),
        )

    def _build_robot(self, arm: Chain, name: str) -> RobotEntry:
        whole = arm.joints == self._model.axis_names
        return RobotEntry(
            name=name,
            axes=(f"{self._name}/*",) if whole else tuple(f"{self._name}/{joint}" for joint in arm.joints),
            base=WORLD if arm.base == WORLD else f"{self._name}/{arm.base}",
            tip=f"{self._name}/{arm.tip}",
            tool=self._find_tool(arm),
        )

    def _find_tool(self, arm: Chain) -> str | None:
        """The tool whose fingers hang on the arm."""
        carried = {joint for hand in self._reading.hands if hand.parent_joint in arm.joints for joint in hand.driven}
        for name, tool in self._model.description.tools.items():
            if carried.intersection(tool.joints):
                return f"{self._name}/{name}"
        return None

    def _list_roles(self) -> dict[str, str]:
        """What the frames are for that the proposal uses."""
        roles = {tool.tip: f"between the fingers of {name}" for name, tool in self._model.description.tools.items()}
        for arm, name in zip(self._reading.arms, _name_arms(self._reading, self._name), strict=True):
            roles |= {arm.base: f"base of {name}", arm.tip: f"tip of {name}"}
        return roles

    def _add_start(self, file: CellFile, axes: tuple[Axis, ...], start: Start) -> CellFile:
        mount = msgspec.structs.replace(file.mounts[0], xyz_m=(0.0, 0.0, start.lift_m))
        values = tuple(_round(axis, value) for axis, value in zip(axes, start.values, strict=True))
        poses = {START: CellPoseEntry(joints_deg_m={self._name: values})} if axes else {}
        return msgspec.structs.replace(
            file,
            mounts=(mount,),
            poses=poses,
            start=START if axes else None,
            collision=CollisionEntry(exclude=start.always + start.near),
        )


def _round(axis: Axis, value: float) -> float:
    """A start value that is pleasant to read, unless a limit is nearer than that."""
    rounded = round(axis.to_written(value), 1 if axis.kind == "hinge" else 4)
    exact = axis.from_written(rounded)
    return rounded if axis.clamp(exact) == exact else axis.to_written(value)


def _name_arms(reading: Reading, default: str) -> list[str]:
    """Names for robots: the only one like the cell, several by what their joints' names begin with."""
    if len(reading.arms) == 1:
        return [default]
    names: list[str] = []
    for number, arm in enumerate(reading.arms, start=1):
        stem = re.sub(r"[_\-.]*(joint|axis)?[_\-.\d]*$", "", _common_start(arm.joints))
        name = make_name(stem, "")
        names.append(name if len(name) > 1 and name not in (*names, WORLD) else f"arm{number}")
    return names


def _common_start(names: tuple[str, ...]) -> str:
    pairs = zip(min(names), max(names), strict=False)
    return "".join(first for first, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
