"""Which joints of a compiled model make one serial arm, and how far they may go."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from telecell.errors import InputError, JointOutOfRange, UnknownName
from telecell.geometry.arrays import FloatArray

_HINGE, _SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)


def find_joints(model: mujoco.MjModel, axes: Sequence[str], where: str) -> list[int]:
    """Joint numbers of a serial arm's axes.

    Raises:
        UnknownName: a joint that the model does not have.
        InputError: not hinges and slides, or not all the joints of one serial arm, in order.
    """
    known = {model.joint(i).name: i for i in range(model.njnt)}
    for axis in axes:
        if axis not in known:
            raise UnknownName("joint", axis, list(known), where=where)
        if model.jnt_type[known[axis]] not in (_HINGE, _SLIDE):
            raise InputError(
                "not a hinge or slide", where=where, value=axis, remedy="Free and ball joints are not axes."
            )
    joints = [known[axis] for axis in axes]
    on_path = _joints_on_path(model, joints) if joints else []
    if not joints or on_path != joints:
        raise InputError(
            "the axes are not all the joints of one serial arm, in order",
            where=where,
            value=tuple(axes),
            limit=tuple(model.joint(j).name for j in on_path),
            remedy="Name every joint from the first to the last axis, once, from base to tip.",
        )
    return joints


def is_slide(model: mujoco.MjModel, joint: int) -> bool:
    """Whether a joint slides."""
    return int(model.jnt_type[joint]) == _SLIDE


def is_carried(model: mujoco.MjModel, site: int | None, joint: int) -> bool:
    """Whether a site (None: the world) moves with a joint."""
    return site is not None and model.jnt_bodyid[joint] in _carriers(model, int(model.site_bodyid[site]))


def read_limits(model: mujoco.MjModel, joints: Sequence[int], limits: ArrayLike | None, where: str) -> FloatArray:
    """Limits (n, 2), read-only; without given ones, the ranges of the model.

    Raises:
        InputError: not finite pairs of lower and upper, or a slide without a range.
    """
    given = [_model_range(model, joint, where) for joint in joints] if limits is None else limits
    array = np.array(given, dtype=np.float64)
    if array.shape != (len(joints), 2) or not np.isfinite(array).all() or (array[:, 0] >= array[:, 1]).any():
        raise InputError(
            "limits are not finite pairs of lower and upper, one pair per axis",
            where=where,
            value=array.tolist(),
            remedy=f"Give {len(joints)} pairs, lower below upper.",
        )
    array.setflags(write=False)
    return array


def read_weights(count: int, weights: ArrayLike | None, where: str) -> FloatArray:
    """Weights (n,), read-only; ones without given ones.

    Raises:
        InputError: not positive numbers, one per axis.
    """
    array = np.ones(count) if weights is None else np.array(weights, dtype=np.float64)
    if array.shape != (count,) or not np.isfinite(array).all() or (array <= 0).any():
        raise InputError(
            "weights are not positive numbers, one per axis",
            where=where,
            value=array.tolist(),
            remedy=f"Give {count} numbers above 0; a large one spares its axis.",
        )
    array.setflags(write=False)
    return array


def validate_values(values: ArrayLike, count: int, what: str, where: str) -> FloatArray:
    """Joint values as an array.

    Raises:
        JointOutOfRange: not numbers, wrong count, or not finite.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    # One dot product finds NaN and infinity at a fraction of what isfinite() and all() cost.
    if array.shape == (count,) and isfinite(array.dot(array)):
        return array
    raise JointOutOfRange(
        f"{what} must be {count} finite numbers",
        where=where,
        value=values.tolist() if isinstance(values, np.ndarray) else values,
        remedy="Give radians for hinges and metres for slides, in order from base to tip.",
    )


def _joints_on_path(model: mujoco.MjModel, joints: Sequence[int]) -> list[int]:
    """All joints of the bodies from that of the first axis out to that of the last."""
    first, last = (int(model.jnt_bodyid[joint]) for joint in (joints[0], joints[-1]))
    bodies = _carriers(model, last)
    if first in bodies:
        bodies = bodies[: bodies.index(first) + 1]
    starts = [(int(model.body_jntadr[body]), int(model.body_jntnum[body])) for body in reversed(bodies)]
    return [joint for start, count in starts for joint in range(start, start + count)]


def _carriers(model: mujoco.MjModel, body: int) -> list[int]:
    """A body and those that carry it, without the world."""
    path = []
    while body:
        path.append(body)
        body = int(model.body_parentid[body])
    return path


def _model_range(model: mujoco.MjModel, joint: int, where: str) -> tuple[float, float]:
    if model.jnt_limited[joint]:
        lower, upper = model.jnt_range[joint].tolist()
        return lower, upper
    if is_slide(model, joint):
        raise InputError(
            "a slide without a range in the model",
            where=where,
            value=model.joint(joint).name,
            remedy="Give the limits of the robot, or the joint a range.",
        )
    return -np.pi, np.pi
