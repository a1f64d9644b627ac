"""MJCF and URDF files as MjSpec, after every file they name has been checked."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco

from telecell.errors import CellFileError
from telecell.models.files import parse_xml, read_bytes, resolve_inside

MESH_FORMATS = (".stl", ".obj", ".msh")
_DIRECTORY_KEYS = {"mesh": "meshdir", "skin": "meshdir", "texture": "texturedir", "hfield": "meshdir"}
_REFUSED_ELEMENTS = {
    "plugin": "Plugins run code; remove the element.",
    "extension": "Plugins run code; remove the element.",
    "model": "Sub-models are mounts of the cell: give each its own [[mounts]] entry.",
}


def load_spec(path: Path, root: Path) -> mujoco.MjSpec:
    """Read an MJCF or URDF file whose meshes, textures and includes all lie in the root folder.

    Raises:
        CellFileError: what is wrong, with file and element or line.
    """
    element = parse_xml(path)
    if element.tag == "robot":
        return _load_urdf(element, path, root)
    if element.tag != "mujoco":
        raise CellFileError(
            "neither MJCF nor URDF: the outermost element must be <mujoco> or <robot>",
            where=str(path),
            value=f"<{element.tag}>",
        )
    _check_mjcf_files(element, path, root, depth=0)
    return _parse(path, lambda: mujoco.MjSpec.from_file(str(path)))


def _parse(path: Path, make) -> mujoco.MjSpec:
    try:
        return make()
    except (ValueError, mujoco.FatalError) as error:
        raise CellFileError(f"MuJoCo refuses it: {_one_line(error)}", where=str(path)) from None


def compile_spec(spec: mujoco.MjSpec, where: str) -> mujoco.MjModel:
    """Compile, with MuJoCo's refusal as a CellFileError."""
    try:
        return spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise CellFileError(f"MuJoCo refuses it: {_one_line(error)}", where=where, remedy=_remedy(str(error))) from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _remedy(text: str) -> str | None:
    if "mass and inertia of moving bodies" in text:
        return "Give the moving link an <inertial> with mass and inertia, or geoms with mass."
    if "inertia must satisfy A + B >= C" in text:
        return "Correct the inertia: no real body has these principal moments."
    return None


def _check_mjcf_files(element: ET.Element, path: Path, root: Path, depth: int) -> None:
    """Walk an MJCF tree; every `file` must exist inside the root, be small, and no element may run code."""
    if depth > 8:
        raise CellFileError("includes nested more than 8 deep", where=str(path))
    directories = {"meshdir": "", "texturedir": ""}
    for compiler in element.iter("compiler"):
        directories = {key: compiler.get(key, compiler.get("assetdir", folder)) for key, folder in directories.items()}
    for item in element.iter():
        if item.tag in _REFUSED_ELEMENTS:
            raise CellFileError(f"<{item.tag}> is not accepted", where=str(path), remedy=_REFUSED_ELEMENTS[item.tag])
        for key in ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"):
            name = item.get(key)
            if name is None:
                continue
            where = f"{path}, <{item.tag} {key}>"
            folder = path.parent / directories.get(_DIRECTORY_KEYS.get(item.tag, ""), "")
            found = resolve_inside(name, folder, root, where)
            if item.tag == "include":
                _check_mjcf_files(parse_xml(found), found, root, depth + 1)
            else:
                read_bytes(found)


def _load_urdf(robot: ET.Element, path: Path, root: Path) -> mujoco.MjSpec:
    """URDF with what MuJoCo needs to hear: paths as written, fixed links kept, drawings it cannot read dropped."""
    _check_urdf_inertia(robot, path)
    for link in robot.iter("link"):
        for visual in link.findall("visual"):
            mesh = visual.find("geometry/mesh")
            if mesh is not None and not mesh.get("filename", "").lower().endswith(MESH_FORMATS):
                link.remove(visual)
    for mesh in robot.iter("mesh"):
        name = mesh.get("filename", "")
        where = f"{path}, <mesh filename>"
        if not name.lower().endswith(MESH_FORMATS):
            raise CellFileError(
                "mesh format not readable",
                where=where,
                value=name,
                choices=MESH_FORMATS,
                remedy="Convert the collision mesh.",
            )
        read_bytes(resolve_inside(name, path.parent, root, where))
    for old in robot.findall("mujoco"):
        robot.remove(old)
    extension = ET.SubElement(robot, "mujoco")
    ET.SubElement(
        extension,
        "compiler",
        meshdir=str(path.parent.resolve()),
        strippath="false",
        discardvisual="false",
        balanceinertia="true",
        fusestatic="false",
    )
    text = ET.tostring(robot, encoding="unicode")
    return _parse(path, lambda: mujoco.MjSpec.from_string(text))


def _check_urdf_inertia(robot: ET.Element, path: Path) -> None:
    """A link moved by a joint needs mass, its own or that of links fixed to it."""
    masses = {link.get("name", ""): _mass(link) for link in robot.findall("link")}
    fixed: dict[str, list[str]] = {}
    moved: list[tuple[str, str]] = []
    for joint in robot.findall("joint"):
        parent, child = joint.find("parent"), joint.find("child")
        if parent is None or child is None:
            raise CellFileError("joint without parent or child", where=f"{path}, joint {joint.get('name')!r}")
        if joint.get("type") == "fixed":
            fixed.setdefault(parent.get("link", ""), []).append(child.get("link", ""))
        else:
            moved.append((joint.get("name", ""), child.get("link", "")))
    for joint_name, link_name in moved:
        stack, seen, mass = [link_name], set(), 0.0
        while stack:
            name = stack.pop()
            if name not in seen:
                seen.add(name)
                mass += masses.get(name, 0.0)
                stack += fixed.get(name, [])
        if mass <= 0:
            raise CellFileError(
                "a moving link has no inertia",
                where=f"{path}, link {link_name!r} moved by joint {joint_name!r}",
                remedy="Give it an <inertial> element with mass and inertia.",
            )


def _mass(link: ET.Element) -> float:
    mass = link.find("inertial/mass")
    try:
        return float(mass.get("value", "0")) if mass is not None else 0.0
    except ValueError:
        return 0.0
