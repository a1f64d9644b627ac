"""The `model.toml` that a bare MJCF or URDF file most likely deserves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import mujoco
import numpy as np

from telecell.models.couplings import follow
from telecell.models.description import AxisEntry, KinematicsEntry, ModelFile, PoseEntry, ToolEntry
from telecell.models.tree import Hand, Reading, read_tree

DEFAULT_GRIP_N = 40.0
DEFAULT_GRIP_NM = 2.0
"""Force of a sliding and torque of a turning finger for which the file has none."""
UNLIMITED_DEG = (-360.0, 360.0)
UNLIMITED_M = (-1.0, 1.0)
"""Limits of an axis for which the file has none."""


def propose_model(path: Path, model: mujoco.MjModel) -> ModelFile:
    """Every hinge and slide an axis, fingers side by side a tool, keyframes poses.

    Args:
        path: the file.
        model: compiled from it.
    """
    reading = read_tree(model)
    tools = _propose_tools(model, reading.hands)
    axes = {name: _propose_axis(model, name) for name in reading.axes}
    return ModelFile(
        format=1,
        kind=_propose_kind(model, axes, tools),
        title=path.stem,
        file=path.name,
        kinematics=_propose_kinematics(reading),
        axes=axes,
        poses=_propose_poses(model, axes),
        tools=tools,
    )


def _propose_kind(model: mujoco.MjModel, axes: dict[str, AxisEntry], tools: dict[str, ToolEntry]):
    if axes:
        return "robot"
    if tools:
        return "tool"
    loose = model.njnt == 1 and model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    return "part" if loose and (model.body_parentid[1:] == 0).sum() == 1 else "fixture"


def _is_hinge(model: mujoco.MjModel, joint: int) -> bool:
    return bool(model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE)


def _propose_axis(model: mujoco.MjModel, name: str) -> AxisEntry:
    """Nothing that the file says itself; limits where it is silent."""
    joint = model.joint(name).id
    if model.jnt_limited[joint]:
        return AxisEntry()
    if _is_hinge(model, joint):
        return AxisEntry(hardware_limits_deg=UNLIMITED_DEG)
    return AxisEntry(hardware_limits_m=UNLIMITED_M)


def _propose_kinematics(reading: Reading) -> KinematicsEntry | None:
    if len(reading.arms) != 1 or reading.arms[0].base == "world":
        return None
    arm = reading.arms[0]
    return KinematicsEntry(base=arm.base, tip=arm.tip, axes=arm.joints)


def _propose_poses(model: mujoco.MjModel, axes: dict[str, AxisEntry]) -> dict[str, PoseEntry]:
    """The file's keyframes, as far as they are inside the limits."""
    joints = [model.joint(name).id for name in axes]
    addresses = model.jnt_qposadr[joints]
    poses = {}
    for key in range(model.nkey if joints else 0):
        values = model.key_qpos[key][addresses]
        limited = model.jnt_limited[joints].astype(bool)
        low, high = model.jnt_range[joints].T
        if np.all(~limited | ((low <= values) & (values <= high))):
            name = make_name(model.key(key).name, f"key{key + 1}")
            poses[name] = PoseEntry(joints_deg_m=_write(model, joints, values))
    return poses


def make_name(text: str, default: str) -> str:
    """A name that the file formats accept, as near to a text as possible."""
    return re.sub(r"[^A-Za-z0-9_.\-]+", "_", text).strip("_.-")[:64] or default


def _write(model: mujoco.MjModel, joints: Iterable[int], values: np.ndarray) -> tuple[float, ...]:
    """Joint values as people write them."""
    written = [np.degrees(v) if _is_hinge(model, j) else v for j, v in zip(joints, values, strict=True)]
    return tuple(round(float(value), 6) for value in written)


def _propose_tools(model: mujoco.MjModel, hands: tuple[Hand, ...]) -> dict[str, ToolEntry]:
    proposals = [_propose_tool(model, hand) for hand in hands]
    tools = [tool for tool in proposals if tool.joints]
    if len(tools) == 1:
        return {"hand": tools[0]}
    return {f"hand{number}": tool for number, tool in enumerate(tools, start=1)}


def _propose_tool(model: mujoco.MjModel, hand: Hand) -> ToolEntry:
    joints = np.array([model.joint(name).id for name in hand.driven])
    closed, opened = _find_strokes(model, hand, joints)
    moving = ~np.isclose(closed, opened, atol=1e-6)
    joints, closed, opened = joints[moving], closed[moving], opened[moving]
    efforts = [float(model.jnt_actfrcrange[joint][1]) for joint in joints if model.jnt_actfrclimited[joint]]
    return ToolEntry(
        drive="servo",
        tip=hand.tip,
        joints=tuple(model.joint(joint).name for joint in joints),
        closed_deg_m=_write(model, joints, closed),
        open_deg_m=_write(model, joints, opened),
        force_N=min(efforts, default=0.0) or (DEFAULT_GRIP_NM if _turns(model, joints) else DEFAULT_GRIP_N),
    )


def _find_strokes(model: mujoco.MjModel, hand: Hand, joints: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values of the finger joints when closed and when open: open is where the finger tips are farther apart."""
    ranges = np.array([_stroke(model, joint) for joint in joints])
    addresses = model.jnt_qposadr[joints]
    middle = model.qpos0.copy()
    middle[addresses] = ranges.mean(axis=1)
    closed, opened = middle.copy(), middle.copy()
    for address, ends in zip(addresses, ranges, strict=True):
        spreads = []
        for end in ends:
            posture = middle.copy()
            posture[address] = end
            spreads.append(_spread(model, hand, posture))
        wide = int(spreads[1] >= spreads[0] - 1e-9)
        closed[address], opened[address] = ends[1 - wide], ends[wide]
    for posture in (closed, opened):
        follow(model, posture, set())
    return closed[addresses], opened[addresses]


def _turns(model: mujoco.MjModel, joints: np.ndarray) -> bool:
    return any(_is_hinge(model, joint) for joint in joints)


def _stroke(model: mujoco.MjModel, joint: int) -> tuple[float, float]:
    if model.jnt_limited[joint]:
        low, high = model.jnt_range[joint]
        return float(low), float(high)
    return (0.0, np.radians(45.0)) if _is_hinge(model, joint) else (0.0, 0.05)


def _spread(model: mujoco.MjModel, hand: Hand, posture: np.ndarray) -> float:
    """How far the ends of the fingers are apart."""
    data = mujoco.MjData(model)
    data.qpos[:] = posture
    follow(model, data.qpos, set())
    mujoco.mj_kinematics(model, data)
    tips = [data.body(finger.end_body).xipos for finger in hand.fingers]
    return float(sum(np.linalg.norm(a - b) for a, b in combinations(tips, 2)))
