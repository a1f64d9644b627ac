"""Whether a cell is fit for use: masses, named poses, collisions, reach and servos, with the way out of each flaw.

The file format is checked by loading the cell; here the question is whether what it says makes sense.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import degrees, inf, sqrt
from typing import Literal

import msgspec
import numpy as np

from telecell.contract import Command
from telecell.errors import PlantDiverged, TelecellError
from telecell.facilities.bulk import measure_bulk
from telecell.kinematics import InverseSolver
from telecell.kinematics.posture import Posture, build_chain
from telecell.models import Axis, Cell, Robot
from telecell.models.axis import WRITING_ERROR
from telecell.plant import PhysicsPlant
from telecell.watch import Contact, find_contacts

Check = Literal["format", "inertia", "limits", "collision", "reach", "servo"]
Severity = Literal["ok", "warning", "error"]

DENSITY_KG_M3 = (50.0, 20_000.0)
"""Foam to tungsten. Drawn shapes overlap and hollow links are drawn solid, so only gross mistakes fall outside."""

GYRATION = (0.05, 1.5)
"""Radius of gyration over the body's size; a ball has 0.63, a rod 0.58. Outside, the unit is usually wrong."""

CARRIED_RATIO = 1000.0
"""How many times its own mass a link may carry before the solver loses digits."""

OVERLAP_M = 1e-4
RESTING_OVERLAP_M = 2e-3
"""A part that rests on something sinks in a little."""

REACH_SAMPLES = 1000
SHORTEST_REACH_M = 0.01

HOLD_S = 0.3
HOLD_ERROR = {"hinge": float(np.radians(0.5)), "slide": 1e-3}
"""How far an axis may be from where it is told to stay: the tolerance within which a motion may start."""

FREQUENCY_RAD_S = (3.0, 500.0)
"""Slower servos need a second to settle; faster ones are too stiff for the 1 ms step of the physics."""

DAMPING_RATIO = (0.3, inf)


Overlaps = dict[str, list[Contact]]
"""What overlaps, by posture."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was checked.

    Attributes:
        check: what kind of check.
        severity: `error` when the cell cannot be used as it is, `warning` when it should be looked at.
        where: body, pose, axis or robot.
        what: the result in one sentence without a full stop.
        value: the number it is about.
        limit: the limit that it broke.
        unit: of value and limit, SI.
        remedy: what to do about it.
    """

    check: Check
    severity: Severity
    where: str
    what: str
    value: float | None = None
    limit: float | None = None
    unit: str = ""
    remedy: str = ""


def check_cell(cell: Cell) -> tuple[Finding, ...]:
    """Check a loaded cell; every kind of check gives at least one finding, `ok` where all is well.

    Raises:
        CellFileError: MuJoCo cannot build the cell.
    """
    posture = Posture(cell)
    overlaps = _find_overlaps(cell)
    checks: dict[Check, Iterable[Finding]] = {
        "inertia": _check_inertias(posture),
        "limits": _check_limits(cell),
        "collision": _check_collisions(overlaps),
        "reach": (finding for robot in cell.robots for finding in _check_reach(robot, posture)),
        "servo": _check_servos(cell, overlaps),
    }
    return tuple(finding for name, found in checks.items() for finding in list(found) or [_all_well(name, cell)])


def list_postures(cell: Cell) -> dict[str, tuple[float, ...]]:
    """Every named posture of a cell as a value per axis, in the order of `cell.axes`.

    A name stands for every robot that knows it; the axes that it says nothing about are where the cell starts.
    """
    names = dict.fromkeys([*cell.poses, *(name for robot in cell.robots for name in robot.poses)])
    return {name: _get_posture(cell, name) for name in names}


def _get_posture(cell: Cell, name: str) -> tuple[float, ...]:
    values = dict(zip((axis.name for axis in cell.axes), cell.start, strict=True))
    for robot in cell.robots:
        if name in robot.poses:
            values |= zip(robot.axis_names, robot.poses[name], strict=True)
    values |= cell.poses.get(name, {})
    return tuple(values.values())


def _all_well(check: Check, cell: Cell) -> Finding:
    texts = {
        "inertia": "masses and inertias are plausible",
        "limits": "all named poses are inside the software limits",
        "collision": "nothing overlaps at the start and in the named poses",
        "reach": "no robots",
        "servo": "the servos hold the start and the named poses",
    }
    return Finding(check=check, severity="ok", where=f"cell {cell.name}", what=texts[check])


# Masses


def _check_inertias(posture: Posture) -> Iterator[Finding]:
    for bulk in measure_bulk(posture):
        where = f"body {bulk.body}"
        remedy = "Check the mass (kg) and the size (m)."
        yield from _judge("inertia", where, "density", bulk.density_kg_m3, DENSITY_KG_M3, "kg/m3", remedy)
        remedy = "Check the inertia (kg m2) and where its centre is."
        yield from _judge("inertia", where, "radius of gyration over size", bulk.gyration, GYRATION, "", remedy)
        remedy = "Check the mass of this link and of what it carries."
        yield from _judge("inertia", where, "carried over own mass", bulk.carried, (0.0, CARRIED_RATIO), "", remedy)


def _judge(
    check: Check,
    where: str,
    quantity: str,
    value: float | None,
    limits: tuple[float, float],
    unit: str,
    remedy: str,
) -> Iterator[Finding]:
    """A warning when a quantity is beyond its limits."""
    if value is None or (limit := _broken(value, limits)) is None:
        return
    yield Finding(
        check=check,
        severity="warning",
        where=where,
        what=f"{quantity} out of range",
        value=value,
        limit=limit,
        unit=unit,
        remedy=remedy,
    )


def _broken(value: float, limits: tuple[float, float]) -> float | None:
    """The limit that a value is beyond."""
    low, high = limits
    return low if value < low else high if value > high else None


# Named poses


def _check_limits(cell: Cell) -> Iterator[Finding]:
    """Poses of models that do not fit the cell's limits; those of the cell itself were checked when it was loaded."""
    for mount in cell.mounts:
        for name, entry in mount.model.description.poses.items():
            if name not in cell.poses:
                for axis, written in zip(mount.axes, entry.joints_deg_m, strict=True):
                    yield from _compare(axis, axis.from_written(written), f"pose {name!r} of model {mount.model.name}")


def _compare(axis: Axis, value: float, where: str) -> Iterator[Finding]:
    limit = axis.clamp(value)
    excess = abs(value - limit)
    if excess <= WRITING_ERROR:
        return
    text = f"{degrees(excess):.2f} deg" if axis.kind == "hinge" else f"{excess * 1e3:.1f} mm"
    yield Finding(
        check="limits",
        severity="warning",
        where=f"{where}, axis {axis.name}",
        what=f"{axis.title} would be {text} outside its software limits",
        value=value,
        limit=limit,
        unit=axis.unit,
        remedy="The cell leaves this pose out; give it a pose of that name of its own if it needs one.",
    )


# Collisions


def _find_overlaps(cell: Cell) -> Overlaps:
    """What overlaps at the start and in the named poses, without parts that rest on something."""
    posture = Posture(cell)
    parts = {cell.get_part_body(name) for name in cell.parts}
    overlaps = {}
    for name, joints in _start_and_named(cell).items():
        posture.set(joints)
        contacts = find_contacts(posture, deeper_than_m=OVERLAP_M)
        overlaps[name] = [c for c in contacts if c.depth_m > RESTING_OVERLAP_M or not parts & {c.first, c.second}]
    return overlaps


def _check_collisions(overlaps: Overlaps) -> Iterator[Finding]:
    for name, contacts in overlaps.items():
        for contact in contacts:
            yield Finding(
                check="collision",
                severity="error",
                where=name,
                what=f"{contact.first} and {contact.second} overlap",
                value=contact.depth_m,
                limit=OVERLAP_M,
                unit="m",
                remedy="Change the pose or the shapes, or name the pair in [collision] exclude if it belongs so.",
            )


def _start_and_named(cell: Cell) -> dict[str, tuple[float, ...]]:
    """The start and the named postures by what findings call them, none twice."""
    named = {f"pose {name!r}": joints for name, joints in list_postures(cell).items()}
    return named if cell.start in named.values() else {"start": cell.start, **named}


# Reach


def _check_reach(robot: Robot, posture: Posture) -> Iterator[Finding]:
    where = f"robot {robot.name}"
    try:
        solver = InverseSolver(build_chain(robot, posture))
    except TelecellError as error:
        yield Finding(check="reach", severity="error", where=where, what=error.what, remedy=error.remedy or "")
        return
    low, high = solver.chain.limits.T
    samples = np.random.default_rng(0).uniform(low, high, (REACH_SAMPLES, len(solver.chain)))
    distances = [float(np.linalg.norm(solver.chain.forward(joints).position)) for joints in samples]
    short = max(distances) < SHORTEST_REACH_M
    yield Finding(
        check="reach",
        severity="warning" if short else "ok",
        where=where,
        what=f"the tip is {min(distances):.3f} to {max(distances):.3f} m from {robot.base}",
        value=max(distances),
        limit=SHORTEST_REACH_M if short else None,
        unit="m",
        remedy="Check base and tip: the tip hardly moves." if short else "",
    )
    for name, joints in robot.poses.items():
        result = solver.solve(solver.chain.forward(joints), reference=joints)
        if not result.reachable:
            yield Finding(
                check="reach",
                severity="warning",
                where=f"{where}, pose {name!r}",
                what=f"inverse kinematics does not find this pose again: {result.reason}",
                remedy="The pose can be taken joint by joint, not as a target of the tip.",
            )


# Servos


def _check_servos(cell: Cell, overlaps: Overlaps) -> Iterator[Finding]:
    if not cell.axes:
        return
    yield from _check_gains(cell)
    for name, joints in _start_and_named(cell).items():
        if not overlaps[name]:
            yield from _check_hold(msgspec.structs.replace(cell, start=joints), name)


def _check_gains(cell: Cell) -> Iterator[Finding]:
    plant = PhysicsPlant(cell)
    model = plant.model
    for axis in cell.axes:
        where = f"axis {axis.name}"
        joint, actuator = model.joint(axis.name), model.actuator(axis.name)
        dof = int(joint.dofadr[0])
        inertia = float(model.dof_M0[dof])
        kp, kv = (-actuator.biasprm[1:3] * actuator.gear[0] ** 2).tolist()
        if kp > 0:
            frequency, damping = sqrt(kp / inertia), kv / (2 * sqrt(kp * inertia))
            remedy = "Correct kp and kv, or leave both out: then they are chosen from the inertia."
            yield from _judge("servo", where, "servo frequency", frequency, FREQUENCY_RAD_S, "rad/s", remedy)
            yield from _judge("servo", where, "servo damping ratio", damping, DAMPING_RATIO, "", remedy)
        if model.jnt_actfrclimited[joint.id]:
            available = float(model.jnt_actfrcrange[joint.id][1])
            needed = inertia * axis.max_acceleration + abs(float(plant.data.qfrc_gravcomp[dof]))
            remedy = "Lower the acceleration limit, or give the drive more torque or force."
            unit = "Nm" if axis.kind == "hinge" else "N"
            yield from _judge(
                "servo", where, "effort for the acceleration limit", needed, (0.0, available), unit, remedy
            )


def _check_hold(cell: Cell, where: str) -> Iterator[Finding]:
    """Let the physics run with every axis told to stay where it is."""
    plant = PhysicsPlant(cell)
    stay = np.array(cell.start)
    command = Command(stay, np.zeros_like(stay), np.ones(len(cell.tools)))
    try:
        for _ in range(round(HOLD_S / plant.period_s)):
            plant.step(command)
    except PlantDiverged as error:
        yield Finding(check="servo", severity="error", where=where, what=error.what, remedy=error.remedy or "")
        return
    for axis, error in zip(cell.axes, np.abs(plant.measure().q_measured - stay).tolist(), strict=True):
        if error > HOLD_ERROR[axis.kind]:
            yield Finding(
                check="servo",
                severity="error",
                where=f"{where}, axis {axis.name}",
                what=f"the servo does not hold the axis: it moves away within {HOLD_S} s",
                value=error,
                limit=HOLD_ERROR[axis.kind],
                unit=axis.unit,
                remedy="Raise the drive's torque or its gains, or correct the masses that it carries.",
            )
