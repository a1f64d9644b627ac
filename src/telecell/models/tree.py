"""How a kinematic tree is understood: arms, and hands at their ends.

An unbranched chain of at least two axes is an arm. Short chains that end side by side are the fingers of a hand; at
the root of the tree, where legs would look the same, only if they are coupled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import mujoco

from telecell.models.couplings import read_couplings

LONGEST_FINGER = 3
"""Axes of the longest chain that still counts as a finger; longer siblings are arms on a common trunk."""

TIP_WORDS = ("tcp", "tool", "grasp", "grip", "pinch", "attachment", "ee", "eef", "effector", "flange", "tip")
"""Words in the name of a frame that is meant as the end of an arm, best first."""

_AXES = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
_JOINT_DRIVES = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))


@dataclass(frozen=True, slots=True)
class Chain:
    """An unbranched run of joints.

    Attributes:
        parent_joint: the joint that carries the chain; None when it stands on the origin.
        base: the body that its first joint moves against; `world` is the model's origin.
        end_body: the body that its last joint moves.
        tip: the frame at the end that people mean, as far as its name tells.
    """

    joints: tuple[str, ...]
    parent_joint: str | None
    base: str
    end_body: str
    tip: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Fingers side by side.

    Attributes:
        palm: the body that the fingers move against.
        driven: the finger joints that need a drive; the others are moved by the mechanism.
        tip: the frame between the fingers, as far as its name tells.
    """

    fingers: tuple[Chain, ...]
    palm: str
    driven: tuple[str, ...]
    tip: str

    @property
    def parent_joint(self) -> str | None:
        """The joint that carries the hand."""
        return self.fingers[0].parent_joint

    @property
    def joints(self) -> tuple[str, ...]:
        """Every joint of every finger."""
        return tuple(joint for finger in self.fingers for joint in finger.joints)


@dataclass(frozen=True, slots=True)
class Reading:
    """A tree, read.

    Attributes:
        axes: what is commanded joint by joint: neither in a hand nor following another joint.
        arms: the chains of axes.
        hands: the groups of fingers.
    """

    axes: tuple[str, ...]
    arms: tuple[Chain, ...]
    hands: tuple[Hand, ...]


def read_tree(model: mujoco.MjModel) -> Reading:
    """Split the hinges and slides of a model into arms and hands."""
    chains = _find_chains(model)
    trunks = {chain.parent_joint for chain in chains}
    groups: dict[str | None, list[Chain]] = {}
    for chain in chains:
        groups.setdefault(chain.parent_joint, []).append(chain)
    hands = tuple(
        _build_hand(model, tuple(group))
        for parent, group in groups.items()
        if len(group) > 1
        and all(len(chain.joints) <= LONGEST_FINGER and chain.joints[-1] not in trunks for chain in group)
        and (parent is not None or _are_coupled(model, group))
    )
    fingers = {joint for hand in hands for joint in hand.joints}
    followers = {model.joint(coupling.follower).name for coupling in read_couplings(model)}
    arms = tuple(
        Chain(
            tuple(j for j in chain.joints if j not in followers),
            chain.parent_joint,
            chain.base,
            chain.end_body,
            chain.tip,
        )
        for chain in chains
        if not fingers.intersection(chain.joints)
    )
    names = (model.joint(i).name for i in _list_axes(model))
    return Reading(
        axes=tuple(name for name in names if name not in fingers | followers),
        arms=tuple(arm for arm in arms if len(arm.joints) > 1),
        hands=hands,
    )


def _list_axes(model: mujoco.MjModel) -> list[int]:
    return [i for i in range(model.njnt) if model.jnt_type[i] in _AXES]


def _find_chains(model: mujoco.MjModel) -> list[Chain]:
    """Follow the tree joint by joint; a chain ends where it branches or stops."""
    above = {joint: _joint_above(model, joint) for joint in _list_axes(model)}
    below: dict[int | None, list[int]] = {}
    for joint, parent in above.items():
        below.setdefault(parent, []).append(joint)
    chains = []
    for joint, parent in above.items():
        if parent is not None and len(below[parent]) == 1:
            continue
        run = [joint]
        while len(below.get(run[-1], [])) == 1:
            run.append(below[run[-1]][0])
        chains.append(_build_chain(model, run, parent))
    return chains


def _build_chain(model: mujoco.MjModel, run: list[int], parent: int | None) -> Chain:
    end = int(model.jnt_bodyid[run[-1]])
    return Chain(
        joints=tuple(model.joint(i).name for i in run),
        parent_joint=None if parent is None else model.joint(parent).name,
        base=model.body(int(model.body_parentid[model.jnt_bodyid[run[0]]])).name,
        end_body=model.body(end).name,
        tip=_find_named_tip(model, end) or _last_fixed_body(model, end),
    )


def _joint_above(model: mujoco.MjModel, joint: int) -> int | None:
    """The nearest hinge or slide towards the root, on the same body or above it."""
    body = int(model.jnt_bodyid[joint])
    candidate = joint - 1
    while True:
        first = int(model.body_jntadr[body])
        while first >= 0 and candidate >= first:
            if model.jnt_type[candidate] in _AXES:
                return candidate
            candidate -= 1
        body = int(model.body_parentid[body])
        if body == 0:
            return None
        candidate = int(model.body_jntadr[body]) + int(model.body_jntnum[body]) - 1


def _find_named_tip(model: mujoco.MjModel, body: int) -> str | None:
    """The site or body fixed to a body, or behind it, whose name says that it is the end."""
    names = [model.site(i).name for i in range(model.nsite) if _is_fixed_behind(model, int(model.site_bodyid[i]), body)]
    names += [model.body(i).name for i in range(1, model.nbody) if i != body and _is_fixed_behind(model, i, body)]
    for word in TIP_WORDS:
        for name in names:
            if word in [part.rstrip("0123456789") for part in re.split(r"[^a-z0-9]+", name.lower())]:
                return name
    return None


def _is_fixed_behind(model: mujoco.MjModel, body: int, root: int) -> bool:
    while body != root:
        if body == 0 or model.body_jntnum[body]:
            return False
        body = int(model.body_parentid[body])
    return True


def _last_fixed_body(model: mujoco.MjModel, body: int) -> str:
    """Follow single, jointless children: the flange that robot files put at the end."""
    while True:
        children = [i for i in range(1, model.nbody) if model.body_parentid[i] == body and model.body_jntnum[i] == 0]
        if len(children) != 1:
            return model.body(body).name
        body = children[0]


def _are_coupled(model: mujoco.MjModel, chains: list[Chain]) -> bool:
    """Whether some joints of different chains move together."""
    chain_of = {model.joint(name).id: k for k, chain in enumerate(chains) for name in chain.joints}
    pairs = [{c.follower, c.leader} for c in read_couplings(model)] + [
        _list_tendon(model, i) for i in range(model.ntendon)
    ]
    return any(len({chain_of[joint] for joint in pair if joint in chain_of}) > 1 for pair in pairs)


def _list_tendon(model: mujoco.MjModel, tendon: int) -> set[int | None]:
    """The joints that a fixed tendon pulls."""
    first = int(model.tendon_adr[tendon])
    wraps = range(first, first + int(model.tendon_num[tendon]))
    return {int(model.wrap_objid[i]) for i in wraps if model.wrap_type[i] == mujoco.mjtWrap.mjWRAP_JOINT}


def _build_hand(model: mujoco.MjModel, fingers: tuple[Chain, ...]) -> Hand:
    joints = [joint for finger in fingers for joint in finger.joints]
    actuated = _list_actuated(model)
    palm = int(model.body_parentid[model.jnt_bodyid[model.joint(joints[0]).id]])
    return Hand(
        fingers=fingers,
        palm=model.body(palm).name,
        driven=tuple(joint for joint in joints if joint in actuated) or tuple(joints),
        tip=_find_named_tip(model, palm) or (model.body(palm).name if palm else fingers[0].end_body),
    )


def _list_actuated(model: mujoco.MjModel) -> set[str]:
    """The joints that the file's own actuators move, directly or by a fixed tendon."""
    joints: set[int | None] = set()
    for i in range(model.nactuator):
        target = int(model.actuator_trnid[i, 0])
        if model.actuator_trntype[i] in _JOINT_DRIVES:
            joints.add(target)
        elif model.actuator_trntype[i] == mujoco.mjtTrn.mjTRN_TENDON:
            joints |= _list_tendon(model, target)
    return {model.joint(joint).name for joint in joints if joint is not None}
