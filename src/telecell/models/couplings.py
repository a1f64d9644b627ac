"""Joints that follow other joints: URDF's mimic joints and MJCF's joint equalities."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.polynomial import polynomial


@dataclass(frozen=True, slots=True)
class Coupling:
    """A joint whose value is a polynomial of another joint's, or fixed when there is no leader."""

    follower: int
    leader: int | None
    coefficients: tuple[float, ...]

    def compute(self, model: mujoco.MjModel, posture: np.ndarray) -> float:
        """The follower's value in a posture (a full qpos); both joints count from their reference values."""
        moved = 0.0
        if self.leader is not None:
            address = model.jnt_qposadr[self.leader]
            moved = float(posture[address] - model.qpos0[address])
        return float(model.qpos0[model.jnt_qposadr[self.follower]] + polynomial.polyval(moved, self.coefficients))


def read_couplings(model: mujoco.MjModel) -> tuple[Coupling, ...]:
    """The couplings of a model, each after the one that moves its leader."""
    found = [
        Coupling(
            int(model.eq_obj1id[i]),
            int(model.eq_obj2id[i]) if model.eq_obj2id[i] >= 0 else None,
            tuple(float(c) for c in model.eq_data[i, :5]),
        )
        for i in range(model.neq)
        if model.eq_type[i] == mujoco.mjtEq.mjEQ_JOINT and model.eq_active0[i]
    ]
    ordered: list[Coupling] = []
    while found:
        followers = {coupling.follower for coupling in found}
        ready = [coupling for coupling in found if coupling.leader not in followers]
        ordered += ready or found  # a circle has no right order
        found = [coupling for coupling in found if coupling not in ordered]
    return tuple(ordered)


def find_followers(model: mujoco.MjModel, commanded: set[str]) -> tuple[Coupling, ...]:
    """The couplings of the joints that nobody commands, in the order in which they take effect.

    Args:
        model: the compiled world.
        commanded: names of the axes and finger joints.
    """
    return tuple(c for c in read_couplings(model) if model.joint(c.follower).name not in commanded)


def follow(model: mujoco.MjModel, posture: np.ndarray, commanded: set[str]) -> None:
    """Put every joint that nobody commands where its leader wants it, in a full qpos, which is changed in place."""
    for coupling in find_followers(model, commanded):
        posture[model.jnt_qposadr[coupling.follower]] = coupling.compute(model, posture)
