"""From a cell file to a `Cell`: read, join with the models, check every reference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from telecell.errors import CellFileError, UnknownName
from telecell.models import catalog
from telecell.models.axis import Axis, read_pose
from telecell.models.cell import WORLD, Cell, Frame, Mount, Robot, Tool
from telecell.models.description import (
    CellFile,
    CollisionEntry,
    FloorEntry,
    FrameEntry,
    MountEntry,
    RobotEntry,
)
from telecell.models.equipment import (
    build_beams,
    build_camera,
    build_force_sensors,
    build_signal,
    build_tools,
    read_placement,
)
from telecell.models.extent import find_bottom
from telecell.models.files import check_file, read_toml, resolve_inside
from telecell.models.model import Model


def load_cell(name_or_path: str | Path) -> Cell:
    """Load a cell of the catalog by name, or a person's own by the path of its file or folder.

    A bare name of the catalog means the catalog, also where a folder of that name lies about; `./name` is the folder.

    Raises:
        CellFileError: the first mistake found, with file, key, value and remedy.
        UnknownName: no such cell.
    """
    path = Path(name_or_path)
    if str(name_or_path) in catalog.list_cells():
        path = catalog.get_cell_path(str(name_or_path))
    elif (path / "cell.toml").is_file():
        path = path / "cell.toml"
    elif path.suffix != ".toml" and len(path.parts) == 1:
        raise UnknownName("cell", str(name_or_path), list(catalog.list_cells()))
    return build_cell(read_toml(path, CellFile), path)


def load_model_cell(name: str) -> Cell:
    """A cell with nothing but one catalog model in it, on a floor; its robot has the model's name and frames."""
    folder = catalog.get_model_folder(name)
    model = Model.from_folder(folder, folder)
    kinematics = model.description.kinematics
    robots: tuple[RobotEntry, ...] = ()
    if kinematics:
        axes = tuple(f"{name}/{axis}" for axis in kinematics.axes or model.axis_names)
        robots = (
            RobotEntry(
                name=name,
                title=model.description.title,
                axes=axes,
                base=f"{name}/{kinematics.base}",
                tip=f"{name}/{kinematics.tip}",
            ),
        )
    file = CellFile(
        format=1,
        name=name,
        title=model.description.title,
        floor=None,
        mounts=(MountEntry(name=name, model=name),),
        robots=robots,
    )
    path = folder / "model.toml"
    floor = FloorEntry(height_m=find_bottom(build_cell(file, path)))
    return build_cell(msgspec.structs.replace(file, floor=floor), path)


def build_cell(file: CellFile, path: Path) -> Cell:
    """Resolve a parsed cell file.

    Args:
        file: what the person wrote.
        path: where it is; models and meshes may lie in its folder tree only.
    """
    where = str(path)
    for kind in ("mounts", "robots", "frames", "cameras", "signals"):
        _refuse_duplicates(kind, [entry.name for entry in getattr(file, kind)], f"{where}, {kind}")
    mounts = _order(tuple(_build_mount(entry, path) for entry in file.mounts), where)
    frames = _collect_frames(mounts, file.frames, where)
    frame_names = [frame.name for frame in frames]
    _check_placements(mounts, frame_names, where)
    _check_exclusions(file.collision, mounts, where)
    axes = tuple(axis for mount in mounts for axis in mount.axes)
    tools = tuple(tool for mount in mounts for tool in build_tools(mount))
    poses = _build_poses(file, mounts, where)
    robots = tuple(_build_robot(entry, mounts, axes, tools, poses, frame_names, where) for entry in file.robots)
    return Cell(
        name=file.name,
        title=file.title or file.name,
        description=file.description,
        path=path,
        file=file,
        mounts=mounts,
        axes=axes,
        robots=robots,
        tools=tools,
        force_sensors=tuple(sensor for mount in mounts for sensor in build_force_sensors(mount)),
        beams=tuple(beam for mount in mounts for beam in build_beams(mount)),
        signals=tuple(build_signal(entry, where) for entry in file.signals),
        parts=tuple(m.name for m in mounts if m.model.description.kind == "part"),
        frames=frames,
        cameras=tuple(build_camera(entry, frame_names, where) for entry in file.cameras),
        poses=poses,
        start=_build_start(file, axes, poses, where),
    )


def _refuse_duplicates(kind: str, names: Sequence[str], where: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise CellFileError(f"two {kind} of the same name", where=where, value=name, remedy="Rename one of them.")
    if WORLD in names:
        raise CellFileError(f"{WORLD!r} is the name of the world itself", where=where, remedy="Choose another name.")


def _load_model(entry: MountEntry, path: Path, where: str) -> Model:
    root = path.parent
    if (entry.model is None) == (entry.file is None):
        raise CellFileError(
            "give either model or file",
            where=where,
            remedy='model = "puma560", model = "./my_arm" or file = "my_arm.urdf".',
        )
    if entry.file is not None:
        file = resolve_inside(entry.file, root, root, f"{where}.file")
        check_file(file, f"{where}.file")
        return Model.from_file(file, root)
    assert entry.model is not None
    if entry.model.startswith(("./", "../", "/")):
        return Model.from_folder(resolve_inside(entry.model, root, root, f"{where}.model"), root)
    folder = catalog.get_model_folder(entry.model, f"{where}.model")
    return Model.from_folder(folder, folder)


def _build_mount(entry: MountEntry, path: Path) -> Mount:
    where = f"{path}, mounts.{entry.name}"
    model = _load_model(entry, path, where)
    for name in entry.axes:
        if name not in model.axis_names:
            raise UnknownName("axis", name, model.axis_names, where=f"{where}.axes")
    for name in entry.paint:
        if name not in model.materials:
            raise UnknownName("material", name, model.materials, where=f"{where}.paint")
    for name in entry.turn_deg:
        if name not in model.turnable:
            raise UnknownName("body without joints", name, list(model.turnable), where=f"{where}.turn_deg")
    turn = {name: math.radians(angle) for name, angle in entry.turn_deg.items()}
    axes = model.build_axes(entry.name, entry.axes, f"{where}.axes")
    return Mount(entry.name, model, entry.on, read_placement(entry, where), axes, entry.paint, turn)


def _order(mounts: tuple[Mount, ...], where: str) -> tuple[Mount, ...]:
    """Sort so that each mount stands on an earlier one; a loop is an error."""
    names = [mount.name for mount in mounts]
    ordered: list[Mount] = []
    waiting = list(mounts)
    while waiting:
        placed = {mount.name for mount in ordered}
        ready = [m for m in waiting if m.on.partition("/")[0] in placed or m.on.partition("/")[0] not in names]
        if not ready:
            raise CellFileError(
                "mounts stand on each other in a loop",
                where=f"{where}, mounts",
                value=[f"{m.name} on {m.on}" for m in waiting],
                remedy="At least one of them must stand on the world.",
            )
        ordered += ready
        waiting = [mount for mount in waiting if mount not in ready]
    return tuple(ordered)


def _collect_frames(mounts: Iterable[Mount], added: tuple[FrameEntry, ...], where: str) -> tuple[Frame, ...]:
    frames = [Frame(WORLD, "the cell's origin")]
    for mount in mounts:
        titles = mount.model.description.frames
        frames += [Frame(f"{mount.name}/{name}", titles.get(name, "")) for name in mount.model.frames]
    known = [frame.name for frame in frames]
    for entry in added:
        if entry.on not in known:
            raise UnknownName("frame", entry.on, known, where=f"{where}, frames.{entry.name}.on")
        frames.append(Frame(entry.name, entry.title, entry.on, read_placement(entry, f"{where}, frames.{entry.name}")))
        known.append(entry.name)
    return tuple(frames)


def _check_placements(mounts: tuple[Mount, ...], frames: list[str], where: str) -> None:
    by_name = {mount.name: mount for mount in mounts}
    for mount in mounts:
        if mount.on not in frames or (mount.on != WORLD and "/" not in mount.on):
            known = [name for name in frames if "/" in name or name == WORLD]
            raise UnknownName("frame", mount.on, known, where=f"{where}, mounts.{mount.name}.on")
        if mount.model.description.kind == "part" and not _stands_still(mount.on, by_name):
            raise CellFileError(
                "a part must start on a frame that stands still",
                where=f"{where}, mounts.{mount.name}.on",
                value=mount.on,
                remedy="Put it on the world or on a fixture.",
            )


def _check_exclusions(collision: CollisionEntry, mounts: tuple[Mount, ...], where: str) -> None:
    bodies = [WORLD, *(f"{mount.name}/{body}" for mount in mounts for body in mount.model.bodies)]
    for name in (name for pair in collision.exclude for name in pair):
        if name not in bodies:
            raise UnknownName("body", name, bodies, where=f"{where}, collision.exclude")


def _stands_still(frame: str, mounts: dict[str, Mount]) -> bool:
    while frame != WORLD:
        mount_name, _, name = frame.partition("/")
        mount = mounts[mount_name]
        if mount.model.description.kind == "part" or not mount.model.frames[name].stands_still:
            return False
        frame = mount.on
    return True


def _build_poses(file: CellFile, mounts: tuple[Mount, ...], where: str) -> dict[str, dict[str, float]]:
    by_name = {mount.name: mount for mount in mounts}
    poses: dict[str, dict[str, float]] = {}
    for name, entry in file.poses.items():
        values: dict[str, float] = {}
        for mount_name, written in entry.joints_deg_m.items():
            key = f"{where}, poses.{name}.joints_deg_m.{mount_name}"
            if mount_name not in by_name:
                raise UnknownName("mount", mount_name, tuple(by_name), where=key)
            axes = by_name[mount_name].axes
            values |= dict(zip([axis.name for axis in axes], read_pose(written, axes, key), strict=True))
        poses[name] = values
    return poses


def _build_robot(
    entry: RobotEntry,
    mounts: tuple[Mount, ...],
    axes: tuple[Axis, ...],
    tools: tuple[Tool, ...],
    cell_poses: dict[str, dict[str, float]],
    frames: list[str],
    where: str,
) -> Robot:
    where = f"{where}, robots.{entry.name}"
    own_axes = _expand_axes(entry.axes, axes, f"{where}.axes")
    for key in ("base", "tip"):
        if getattr(entry, key) not in frames:
            raise UnknownName("frame", getattr(entry, key), frames, where=f"{where}.{key}")
    if entry.tool is not None and entry.tool not in [tool.name for tool in tools]:
        raise UnknownName("tool", entry.tool, [tool.name for tool in tools], where=f"{where}.tool")
    poses = _model_poses(own_axes, mounts)
    for name, values in cell_poses.items():
        if all(axis.name in values for axis in own_axes):
            poses[name] = tuple(values[axis.name] for axis in own_axes)
    return Robot(entry.name, entry.title or entry.name, own_axes, entry.base, entry.tip, entry.tool, poses)


def _expand_axes(patterns: tuple[str, ...], axes: tuple[Axis, ...], where: str) -> tuple[Axis, ...]:
    chosen: list[Axis] = []
    for pattern in patterns:
        mount, _, joint = pattern.partition("/")
        matches = [a for a in axes if a.name == pattern or (joint == "*" and a.name.partition("/")[0] == mount)]
        if not matches:
            raise UnknownName("axis", pattern, [axis.name for axis in axes], where=where)
        chosen += matches
    if not chosen:
        raise CellFileError("a robot needs at least one axis", where=where, remedy='axes = ["<mount>/*"]')
    for axis in chosen:
        if chosen.count(axis) > 1:
            raise CellFileError("an axis is named twice", where=where, value=axis.name, remedy="Name it once.")
    return tuple(chosen)


def _model_poses(axes: tuple[Axis, ...], mounts: tuple[Mount, ...]) -> dict[str, tuple[float, ...]]:
    """A robot that is exactly one mount inherits that model's named poses, as far as its limits allow."""
    poses: dict[str, tuple[float, ...]] = {}
    for mount in mounts:
        if mount.axes == axes:
            for name, entry in mount.model.description.poses.items():
                with suppress(CellFileError):
                    poses[name] = read_pose(entry.joints_deg_m, axes, mount.name)
    return poses


def _build_start(
    file: CellFile, axes: tuple[Axis, ...], poses: dict[str, dict[str, float]], where: str
) -> tuple[float, ...]:
    if file.start is not None and file.start not in poses:
        raise UnknownName("pose", file.start, tuple(poses), where=f"{where}, start")
    values = poses[file.start] if file.start else {}
    return tuple(values.get(axis.name, axis.clamp(0.0)) for axis in axes)
