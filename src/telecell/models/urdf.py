"""URDF with what MuJoCo needs to hear: files in full, fixed links kept, drawings that it cannot read left out."""

from __future__ import annotations

from telecell.errors import CellFileError
from telecell.models.files import check_file
from telecell.models.markup import Edit, Element, Markup
from telecell.models.mjcf import Find, Place, validate_body_count

MESH_FORMATS = (".stl", ".obj", ".msh")
_COMPILER = (
    b'<mujoco><compiler strippath="false" discardvisual="false" balanceinertia="true" fusestatic="false"/></mujoco>'
)


def write_out(markup: Markup, find: Find, place: Place, *, trim: bool = False) -> bytes:
    """The robot with its meshes found.

    Args:
        markup: the robot file.
        find: which file a name means; raises when it may not be used.
        place: what to write in its place.
        trim: for MuJoCo's eyes: leave out unreadable drawings, and add the settings it needs. Line numbers stay.

    Raises:
        CellFileError: what is not accepted, with file, line and element.
    """
    _validate(markup)
    edits = _find_meshes(markup, find, place)
    if trim:
        edits += [markup.blank(element) for element in (*list_unreadable(markup), *markup.root.find_all("mujoco"))]
        edits += _drop_shape_names(markup)
        edits.append((markup.root.inner_end, markup.root.inner_end, _COMPILER))
    return markup.edit(edits)


def read_speeds(markup: Markup) -> dict[str, float]:
    """The velocity limits, rad/s or m/s, by joint; MuJoCo has no use for them."""
    speeds = {}
    for joint in markup.root.find_all("joint"):
        limit = joint.find("limit")
        speed = _number(limit, "velocity")
        if speed > 0:
            speeds[joint.get("name")] = speed
    return speeds


def list_unreadable(markup: Markup) -> list[Element]:
    """Drawings in formats that MuJoCo does not read; the collision shapes are shown in their place."""
    return [
        visual
        for link in markup.root.find_all("link")
        for visual in link.find_all("visual")
        if (mesh := visual.find("geometry", "mesh")) and not _is_readable(mesh)
    ]


def _drop_shape_names(markup: Markup) -> list[Edit]:
    """Nobody refers to shapes by name, but MuJoCo complains about names that occur twice."""
    unreadable = list_unreadable(markup)
    return [
        markup.replace_attribute(shape, "name", "")
        for link in markup.root.find_all("link")
        for shape in (*link.find_all("visual"), *link.find_all("collision"))
        if "name" in shape.attributes and shape not in unreadable
    ]


def _is_readable(mesh: Element) -> bool:
    return mesh.get("filename").lower().endswith(MESH_FORMATS)


def _find_meshes(markup: Markup, find: Find, place: Place) -> list[Edit]:
    unreadable = list_unreadable(markup)
    edits = []
    for mesh in markup.elements:
        if mesh.tag != "mesh" or any(outer in unreadable or outer.tag == "mujoco" for outer in mesh.ancestors()):
            continue
        where = markup.where(mesh, "filename")
        name = mesh.get("filename")
        if not _is_readable(mesh):
            raise CellFileError(
                "mesh format not readable",
                where=where,
                value=name,
                choices=MESH_FORMATS,
                remedy="Convert the collision mesh.",
            )
        path = find(name, (markup.path.parent,), where)
        check_file(path, where)
        edits.append(markup.replace_attribute(mesh, "filename", place(path)))
    return edits


def _validate(markup: Markup) -> None:
    for element in markup.elements:
        if element.tag.startswith("xacro:"):
            raise CellFileError(
                "a xacro file, not yet a URDF",
                where=markup.where(element),
                remedy="Expand it first: `xacro FILE > robot.urdf`.",
            )
    links, joints = markup.root.find_all("link"), markup.root.find_all("joint")
    if not links:
        raise CellFileError("a robot without links", where=markup.where(markup.root))
    validate_body_count(len(links), markup.path)
    for joint in joints:
        _validate_joint(joint, markup)
    _validate_inertia(links, joints, markup)


def _validate_joint(joint: Element, markup: Markup) -> None:
    if joint.find("parent") is None or joint.find("child") is None:
        raise CellFileError("joint without parent or child", where=markup.where(joint), value=joint.get("name"))
    limit = joint.find("limit")
    if limit is not None and _number(limit, "lower") > _number(limit, "upper"):
        raise CellFileError(
            f"the lower limit of joint {joint.get('name')!r} must be below the upper one",
            where=markup.where(limit),
            value=[_number(limit, "lower"), _number(limit, "upper")],
            remedy="Exchange them.",
        )


def _validate_inertia(links: list[Element], joints: list[Element], markup: Markup) -> None:
    """A link moved by a joint needs mass, its own or that of links fixed to it."""
    masses = {link.get("name"): _number(link.find("inertial", "mass"), "value") for link in links}
    fixed: dict[str, list[str]] = {}
    for joint in joints:
        if joint.get("type") == "fixed":
            fixed.setdefault(_link(joint, "parent"), []).append(_link(joint, "child"))
    for joint in joints:
        if joint.get("type") != "fixed" and not _carries_mass(_link(joint, "child"), masses, fixed):
            raise CellFileError(
                f"a moving link has no inertia: {_link(joint, 'child')!r}, moved by joint {joint.get('name')!r}",
                where=markup.where(joint),
                remedy="Give the link an <inertial> element with mass and inertia.",
            )


def _carries_mass(link: str, masses: dict[str, float], fixed: dict[str, list[str]]) -> bool:
    waiting, seen = [link], set()
    while waiting:
        name = waiting.pop()
        if masses.get(name, 0.0) > 0:
            return True
        if name not in seen:
            seen.add(name)
            waiting += fixed.get(name, [])
    return False


def _link(joint: Element, role: str) -> str:
    element = joint.find(role)
    return element.get("link") if element else ""


def _number(element: Element | None, attribute: str) -> float:
    """A number, 0 where there is none; MuJoCo says what is wrong with an unreadable one."""
    try:
        return float(element.get(attribute, "0")) if element else 0.0
    except ValueError:
        return 0.0
