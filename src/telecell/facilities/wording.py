"""A proposal as text: `model.toml` and `cell.toml` with comments that say what was guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from telecell.facilities.clearance import Start
from telecell.models.axis import Axis, JointFacts
from telecell.models.description import CellFile, ToolEntry
from telecell.models.model import Model


def word_model(model: Model, axes: Sequence[Axis], roles: Mapping[str, str], remarks: Iterable[str]) -> str:
    """The text of `model.toml`.

    Args:
        model: read from the bare file.
        axes: its axes, with every number.
        roles: what some of its frames are for.
        remarks: what a person should know about the file.
    """
    description = model.description
    lines = [
        f"# Proposed by `telecell new` from {_one_line(description.file)}. Read it, correct it, remove these comments.",
        "# Rights in the robot file and its meshes stay with their owners. docs/cells.md explains every key.",
    ]
    lines += [f"# {_one_line(remark)}" for remark in remarks]
    lines += [
        "format = 1",
        f"kind = {_string(description.kind)}",
        f"title = {_string(description.title)}",
        f"file = {_string(description.file)}",
        '# "ours" puts our servo in place of the actuators of the file, "file" keeps them.',
        f"actuators = {_string(description.actuators)}",
    ]
    if description.kinematics:
        lines += ["", "# The frames between which the kinematics are stated, guessed from names.", "[kinematics]"]
        lines += [f"base = {_string(description.kinematics.base)}", f"tip = {_string(description.kinematics.tip)}"]
        lines.append(f"axes = {_strings(description.kinematics.axes)}")
    lines += _word_frames(model, roles)
    for axis in axes:
        lines += _word_axis(axis, model.joints[axis.name.partition("/")[2]])
    lines += _word_idle_joints(model)
    for name, pose in description.poses.items():
        lines += ["", "# A keyframe of the file.", f"[poses.{_key(name)}]"]
        lines.append(f"joints_deg_m = {_numbers(pose.joints_deg_m)}")
    for name, tool in description.tools.items():
        lines += _word_tool(name, tool)
    return "\n".join(lines) + "\n"


def _word_frames(model: Model, roles: Mapping[str, str]) -> list[str]:
    if not model.frames:
        return []
    lines = ["", "# Bodies and sites of the file. Say what they are; remove what nobody needs.", "[frames]"]
    for name in model.frames:
        title = roles.get(name, f"{'body' if name in model.bodies else 'site'} of the file")
        lines.append(f"{_key(name)} = {_string(title)}")
    return lines


def _word_axis(axis: Axis, facts: JointFacts) -> list[str]:
    unit, force = ("deg", "torque_Nm") if axis.kind == "hinge" else ("m", "force_N")
    limits = _numbers(axis.to_written(value) for value in axis.hardware_limits)
    lines = [
        "",
        f"[axes.{_key(axis.name.partition('/')[2])}]",
        f"hardware_limits_{unit} = {limits}{'' if facts.limits else '  # guessed, the file has none'}",
        f"speed_{unit}_s = {_number(axis.to_written(axis.max_velocity))}"
        f"{'' if facts.max_velocity else '  # guessed, the file has none'}",
    ]
    if axis.max_torque:
        lines.append(f"{force} = {_number(axis.max_torque)}")
    else:
        lines.append(f"# {force}: the file has none; the drive will be stronger than its axis needs.")
    return lines


def _word_idle_joints(model: Model) -> list[str]:
    """Say which joints are nobody's."""
    tools = model.description.tools.values()
    driven = {*model.axis_names, *(joint for tool in tools for joint in tool.joints)}
    idle = [_one_line(name) for name in model.joints if name not in driven]
    return ["", f"# Moved by other joints, therefore no axes: {', '.join(idle)}."] if idle else []


def _word_tool(name: str, tool: ToolEntry) -> list[str]:
    return [
        "",
        "# Guessed: joints that end side by side are fingers, open is where their ends are farther apart.",
        f"[tools.{_key(name)}]",
        f"drive = {_string(tool.drive)}",
        f"tip = {_string(tool.tip)}",
        f"joints = {_strings(tool.joints)}",
        f"closed_deg_m = {_numbers(tool.closed_deg_m)}",
        f"open_deg_m = {_numbers(tool.open_deg_m)}",
        f"force_N = {_number(tool.force_N)}",
    ]


def word_cell(file: CellFile, start: Start) -> str:
    """The text of `cell.toml`.

    Args:
        file: with one mount, its robots, the pose `start` and the exclusions.
        start: where the pose and the exclusions come from.
    """
    mount = file.mounts[0]
    lines = [
        "# Proposed by `telecell new`. Add tables, tools and parts with more [[mounts]]; docs/cells.md explains how.",
        "format = 1",
        f"name = {_string(file.name)}",
        f"title = {_string(file.title)}",
    ]
    if file.start:
        lines.append(f"start = {_string(file.start)}")
    lines += ["", "[[mounts]]", f"name = {_string(mount.name)}", f"model = {_string(mount.model or '')}"]
    if start.lift_m:
        lines.append("# Raised so that nothing reaches into the floor.")
    lines += [f"xyz_m = {_numbers(mount.xyz_m)}", f"rpy_deg = {_numbers(mount.rpy_deg)}"]
    for robot in file.robots:
        lines += ["", "[[robots]]", f"name = {_string(robot.name)}", f"axes = {_strings(robot.axes)}"]
        lines += ["# Targets are poses of the tip in the base.", f"base = {_string(robot.base)}"]
        lines.append(f"tip = {_string(robot.tip)}")
        if robot.tool:
            lines.append(f"tool = {_string(robot.tool)}")
    return "\n".join([*lines, *_word_start(file, start), *_word_exclusions(start)]) + "\n"


def _word_start(file: CellFile, start: Start) -> list[str]:
    lines = []
    for name, pose in file.poses.items():
        values = ", ".join(f"{_key(mount)} = {_numbers(v)}" for mount, v in pose.joints_deg_m.items())
        lines += ["", "# Found by trying; what touches here is listed below." if start.far else "# Found by trying."]
        lines += [f"[poses.{_key(name)}]", f"joints_deg_m = {{ {values} }}"]
    return lines + [f"# Touching: {_one_line(first)} and {_one_line(second)}" for first, second in start.far]


def _word_exclusions(start: Start) -> list[str]:
    if not (start.always or start.near):
        return []
    lines = ["", "[collision]", "exclude = ["]
    if start.always:
        lines.append("  # These overlap in nearly every posture: drawn that way.")
        lines += [f"  {_strings(pair)}," for pair in start.always]
    if start.near:
        lines.append("  # These neighbours overlap at the start, most likely because their shapes are coarse. Look!")
        lines += [f"  {_strings(pair)}," for pair in start.near]
    return [*lines, "]"]


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, texts))}]"


def _number(value: float) -> str:
    return repr(float(value))


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(map(_number, values))}]"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)


def _one_line(text: str) -> str:
    """For a comment: nothing that ends it."""
    return _string(text)[1:-1]
