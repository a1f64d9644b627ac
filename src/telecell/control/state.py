"""The whole controller as plain values, and the way back."""

from __future__ import annotations

import msgspec
import numpy as np

from telecell.control.arm import ArmState
from telecell.control.axes import AxesState
from telecell.control.core import Core
from telecell.control.journal import JournalState
from telecell.control.modes import Mode
from telecell.control.tip_guard import FASTEST_TIP_M_S
from telecell.errors import InputError, SnapshotMismatch
from telecell.kinematics.placements import to_placement, to_pose
from telecell.messages import Placement

ROUNDING = 1e-9


class ControllerState(msgspec.Struct, frozen=True):
    """Everything that decides how the controller goes on.

    Grants are not part of it: who may command is a matter of the present. Nor are the moments of the last ticks: they
    are the clock's.

    Attributes:
        now_s: what the clock said, so that times of streams can be carried over to another clock.
    """

    now_s: float
    axes: AxesState
    arms: dict[str, ArmState]
    journal: JournalState
    tip_speeds_m_s: tuple[float, ...]
    user_frames: dict[str, Placement]
    openings: tuple[float, ...]
    grip_forces: tuple[float, ...]
    outputs: tuple[bool, ...]
    modes: dict[str, Mode]
    signals: dict[str, bool]


def save(core: Core) -> ControllerState:
    """Plain values from which everything goes on exactly."""
    return ControllerState(
        now_s=core.ticks.now_s,
        axes=core.axes.save(),
        arms={name: arm.save() for name, arm in core.arms.items()},
        journal=core.journal.save(),
        tip_speeds_m_s=tuple(core.tip_guard.speeds.tolist()),
        user_frames={name: to_placement(pose) for name, pose in core.user_frames.items()},
        openings=tuple(core.openings.tolist()),
        grip_forces=tuple(core.grip_forces.tolist()),
        outputs=tuple(core.outputs.tolist()),
        modes=dict(core.modes),
        signals=dict(core.signals),
    )


def restore(core: Core, saved: ControllerState) -> None:
    """Go on from saved values.

    Raises:
        SnapshotMismatch: they are damaged or of another cell; everything stays as it was.
    """
    _validate(core, saved)
    before = save(core)
    try:
        _apply(core, saved)
        _validate_motion(core)
    except (SnapshotMismatch, InputError) as error:
        _apply(core, before)
        raise error if isinstance(error, SnapshotMismatch) else SnapshotMismatch(str(error)) from None


def _apply(core: Core, saved: ControllerState) -> None:
    for name, arm in core.arms.items():
        arm.restore(saved.arms[name])
    core.user_frames = {name: to_pose(placement) for name, placement in saved.user_frames.items()}
    core.axes.restore(saved.axes)
    core.journal.restore(saved.journal)
    core.ticks.resume(saved.now_s)
    core.grants.resume(saved.now_s)
    core.setup_number += 1
    core.tip_guard.speeds[:] = saved.tip_speeds_m_s
    core.tip_guard.forget()
    core.openings = np.array(saved.openings, dtype=float)
    core.grip_forces = np.array(saved.grip_forces, dtype=float)
    core.outputs = np.array(saved.outputs, dtype=bool)
    core.modes = dict(saved.modes)
    core.signals = dict(saved.signals)


def _validate_motion(core: Core) -> None:
    """A path goes on from where the set-points are."""
    for arm in core.arms.values():
        position = arm.motion.position
        if position is not None and np.abs(position - core.axes.q_desired[arm.index]).max() > ROUNDING:
            raise SnapshotMismatch("the path is not where the set-points are", where=f"robot {arm.name}")


def _validate(core: Core, saved: ControllerState) -> None:
    where = f"cell {core.cell.name}"
    if (
        set(saved.arms) != set(core.arms)
        or set(saved.modes) != set(core.arms)
        or set(saved.signals) != set(core.signals)
    ):
        raise SnapshotMismatch("the robots or signals of another cell", where=where, value=sorted(saved.arms))
    core.axes.validate(saved.axes)
    forces = [tool.force for tool in core.cell.tools]
    for name, values, high in (
        ("openings", saved.openings, [1.0] * len(forces)),
        ("grip_forces", saved.grip_forces, forces),
        ("tip_speeds_m_s", saved.tip_speeds_m_s, [FASTEST_TIP_M_S] * len(core.tip_guard.speeds)),
    ):
        if len(values) != len(high) or not all(0.0 <= v <= top for v, top in zip(values, high, strict=True)):
            raise SnapshotMismatch("damaged setting", where=f"{where}, {name}", value=values)
    if len(saved.outputs) != len(core.outputs) or not np.isfinite(saved.now_s):
        raise SnapshotMismatch("damaged outputs or time", where=where, value=saved.outputs)
