"""What a robot file most likely means: its axes, chains and hands, read from its kinematic tree.

Every hinge or slide is an axis; an unbranched chain of at least two axes is a robot; short chains that end side by
side (fingers) are a tool.
"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import msgspec
import mujoco
import numpy as np

from telecell.models.description import ModelFile, ToolEntry

LONGEST_FINGER = 3
"""Axes of the longest chain that still counts as a finger; longer siblings are arms on a common trunk."""

DEFAULT_GRIP_N = 40.0


class Chain(msgspec.Struct, frozen=True):
    """An unbranched run of axes, with the body that its last axis carries."""

    joints: tuple[str, ...]
    parent_joint: str | None
    base_body: str
    tip_body: str


class Reading(msgspec.Struct, frozen=True):
    """How a kinematic tree is understood: arms, and groups of fingers."""

    arms: tuple[Chain, ...]
    hands: tuple[tuple[Chain, ...], ...]


def read_tree(model: mujoco.MjModel) -> Reading:
    """Split the hinges and slides of a model into arms and hands."""
    chains = _find_chains(model)
    siblings: dict[str, list[Chain]] = {}
    for chain in chains:
        if chain.parent_joint is not None:
            siblings.setdefault(chain.parent_joint, []).append(chain)
    trunks = {chain.parent_joint for chain in chains}
    hands = tuple(
        tuple(group)
        for group in siblings.values()
        if len(group) > 1 and all(_is_finger(chain, trunks) for chain in group)
    )
    fingers = {chain.joints for hand in hands for chain in hand}
    arms = tuple(chain for chain in chains if len(chain.joints) > 1 and chain.joints not in fingers)
    return Reading(arms, hands)


def _is_finger(chain: Chain, trunks: set[str | None]) -> bool:
    return len(chain.joints) <= LONGEST_FINGER and chain.joints[-1] not in trunks


def propose_model(path: Path, model: mujoco.MjModel) -> ModelFile:
    """The `model.toml` that a bare file gets."""
    reading = read_tree(model)
    tools = {}
    for number, hand in enumerate(reading.hands, start=1):
        tools["hand" if len(reading.hands) == 1 else f"hand{number}"] = _propose_tool(model, hand)
    moving = any(model.jnt_type[i] in (2, 3) for i in range(model.njnt))
    return ModelFile(format=1, kind="robot" if moving else "fixture", title=path.stem, file=path.name, tools=tools)


def _find_chains(model: mujoco.MjModel) -> list[Chain]:
    """Follow the tree joint by joint; a chain ends where it branches or stops."""
    names = [model.joint(i).name for i in range(model.njnt)]
    axes = [i for i in range(model.njnt) if model.jnt_type[i] in (2, 3)]
    above = {joint: _joint_above(model, joint) for joint in axes}
    below: dict[int | None, list[int]] = {}
    for joint, parent in above.items():
        below.setdefault(parent, []).append(joint)
    chains = []
    for joint in axes:
        parent = above[joint]
        if parent is not None and len(below[parent]) == 1:
            continue
        run = [joint]
        while len(below.get(run[-1], [])) == 1:
            run.append(below[run[-1]][0])
        first_body = int(model.jnt_bodyid[joint])
        chains.append(
            Chain(
                tuple(names[i] for i in run),
                None if parent is None else names[parent],
                model.body(int(model.body_parentid[first_body])).name,
                _last_fixed_body(model, int(model.jnt_bodyid[run[-1]])),
            )
        )
    return chains


def _joint_above(model: mujoco.MjModel, joint: int) -> int | None:
    """The nearest hinge or slide towards the root, on the same body or above it."""
    body = int(model.jnt_bodyid[joint])
    candidate = joint - 1
    while True:
        first = int(model.body_jntadr[body])
        while first >= 0 and candidate >= first:
            if model.jnt_type[candidate] in (2, 3):
                return candidate
            candidate -= 1
        body = int(model.body_parentid[body])
        if body == 0:
            return None
        candidate = int(model.body_jntadr[body]) + int(model.body_jntnum[body]) - 1


def _last_fixed_body(model: mujoco.MjModel, body: int) -> str:
    """Follow single, jointless children: the flange or tool frame that robot files put at the end."""
    while True:
        children = [i for i in range(1, model.nbody) if model.body_parentid[i] == body and model.body_jntnum[i] == 0]
        if len(children) != 1:
            return model.body(body).name
        body = children[0]


def _propose_tool(model: mujoco.MjModel, hand: tuple[Chain, ...]) -> ToolEntry:
    joints = [model.joint(name) for chain in hand for name in chain.joints]
    ranges = np.array([joint.range if model.jnt_limited[joint.id] else (0.0, 0.0) for joint in joints])
    low_spread, high_spread = (_spread(model, joints, ranges[:, side], hand) for side in (0, 1))
    closed, opened = (ranges[:, 0], ranges[:, 1]) if high_spread >= low_spread else (ranges[:, 1], ranges[:, 0])
    hinges = [model.jnt_type[joint.id] == mujoco.mjtJoint.mjJNT_HINGE for joint in joints]

    def written(values: np.ndarray) -> tuple[float, ...]:
        return tuple(
            round(math.degrees(value) if hinge else float(value), 6)
            for value, hinge in zip(values, hinges, strict=True)
        )

    efforts = [model.jnt_actfrcrange[joint.id][1] for joint in joints if model.jnt_actfrclimited[joint.id]]
    palm = model.body(int(model.body_parentid[model.jnt_bodyid[joints[0].id]])).name
    return ToolEntry(
        drive="servo",
        tip=palm,
        joints=tuple(joint.name for joint in joints),
        closed_deg_m=written(closed),
        open_deg_m=written(opened),
        force_N=float(min(efforts)) if efforts else DEFAULT_GRIP_N,
    )


def _spread(model: mujoco.MjModel, joints: list, values: np.ndarray, hand: tuple[Chain, ...]) -> float:
    """How far the finger tips are apart: tells open from closed."""
    data = mujoco.MjData(model)
    for joint, value in zip(joints, values, strict=True):
        data.qpos[model.jnt_qposadr[joint.id]] = value
    mujoco.mj_kinematics(model, data)
    tips = [data.body(chain.tip_body).xipos for chain in hand]
    return float(sum(np.linalg.norm(a - b) for a, b in combinations(tips, 2)))
