"""Which bodies overlap in a posture."""

from __future__ import annotations

import msgspec
import mujoco

from telecell.kinematics.posture import Posture
from telecell.models.world import FLOOR


class Contact(msgspec.Struct, frozen=True):
    """Two bodies that overlap, in alphabetical order, and by how much; `floor` stands for the floor."""

    first: str
    second: str
    depth_m: float


def find_contacts(posture: Posture, *, deeper_than_m: float = 0.0) -> tuple[Contact, ...]:
    """Every pair of bodies that overlaps by more than a depth, deepest first."""
    model, data = posture.model, posture.data
    mujoco.mj_collision(model, data)
    floor = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, FLOOR)
    deepest: dict[tuple[str, str], float] = {}
    for contact in data.contact:
        if contact.dist >= -deeper_than_m:
            continue
        names = sorted(
            FLOOR if geom == floor else model.body(int(model.geom_bodyid[geom])).name for geom in contact.geom
        )
        pair = (names[0], names[1])
        deepest[pair] = max(deepest.get(pair, 0.0), -float(contact.dist))
    found = (Contact(first, second, depth) for (first, second), depth in deepest.items())
    return tuple(sorted(found, key=lambda contact: -contact.depth_m))
