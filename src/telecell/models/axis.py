"""One actuated joint, with every number it needs, in SI units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

from telecell.errors import CellFileError
from telecell.models.description import AxisEntry

Limits = tuple[float, float]

DEFAULT_SPEED = {"hinge": math.radians(60), "slide": 0.25}
DEFAULT_FOLLOWING_ERROR = {"hinge": 0.05, "slide": 0.01}
RISE_TIME_S = 0.25
"""Time in which an axis of unknown acceleration reaches its speed; its jerk builds up in a tenth of that."""

WRITING_ERROR = 1e-6
"""Rad or m by which a written value may leave a limit because one of them was rounded."""


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """One actuated joint of a cell. Hinges in rad, N·m; slides in m, N.

    Attributes:
        name: `<mount>/<joint>`, also the joint's name in the MuJoCo model.
        labels: historical names.
        hardware_limits: where the mechanism ends.
        software_limits: where commands end.
        following_error: how far it may be off its set-point before the robot stops.
        max_torque: what the drive can give; None means that the plant chooses.
        kp: servo stiffness; None means that the plant chooses.
        kv: servo damping.
        counts_per_unit: encoder counts per rad or m; None is an ideal encoder.
        weight: reluctance to be used in redundant inverse kinematics.
    """

    name: str
    kind: Literal["hinge", "slide"]
    title: str
    labels: tuple[str, ...]
    hardware_limits: Limits
    software_limits: Limits
    max_velocity: float
    max_acceleration: float
    max_jerk: float
    following_error: float
    max_torque: float | None
    kp: float | None
    kv: float | None
    counts_per_unit: float | None
    weight: float

    @property
    def unit(self) -> str:
        """`rad` or `m`."""
        return "rad" if self.kind == "hinge" else "m"

    def from_written(self, value: float) -> float:
        """SI value of a number as people write it: degrees for hinges, metres for slides."""
        return math.radians(value) if self.kind == "hinge" else value

    def to_written(self, value: float) -> float:
        """The number that people write for an SI value, without the noise of the conversion."""
        return round(math.degrees(value) if self.kind == "hinge" else value, 6)

    def clamp(self, value: float) -> float:
        """The nearest value inside the software limits."""
        low, high = self.software_limits
        return min(max(value, low), high)


class JointFacts(msgspec.Struct, frozen=True):
    """What the model file itself says about a joint, in SI units; None where it is silent.

    Attributes:
        follows: another joint decides where it is (a mimic joint, a joint equality).
    """

    kind: Literal["hinge", "slide"]
    limits: Limits | None
    max_velocity: float | None = None
    max_torque: float | None = None
    follows: bool = False


def merge(base: AxisEntry, override: AxisEntry) -> AxisEntry:
    """The model's entry with what the cell has different."""
    changes = {
        name: value
        for name in AxisEntry.__struct_fields__
        if (value := getattr(override, name)) is not None and value != ()
    }
    return msgspec.structs.replace(base, **changes)


def build_axis(name: str, facts: JointFacts, entry: AxisEntry, where: str) -> Axis:
    """Join the file's facts and the person's entry, and check that they make sense.

    Args:
        name: `<mount>/<joint>`.
        facts: from the MJCF or URDF file.
        entry: from `model.toml`, merged with `cell.toml`.
        where: file and key for errors.
    """
    unit = _Units(facts.kind, entry, where)
    hardware = unit.limits("hardware_limits") or facts.limits
    if hardware is None:
        raise CellFileError(
            "axis without limits",
            where=where,
            remedy=f"Give hardware_limits_{unit.length} = [min, max] or a range in the model file.",
        )
    software = unit.limits("software_limits") or hardware
    _validate_limits(hardware, software, unit, where)
    speed = unit.positive("speed", "_s") or facts.max_velocity or DEFAULT_SPEED[facts.kind]
    acceleration = unit.positive("acceleration", "_s2") or speed / RISE_TIME_S
    jerk = unit.positive("jerk", "_s3") or 10 * acceleration / RISE_TIME_S
    kp, kv = unit.plain_positive("kp"), unit.plain_positive("kv")
    if (kp is None) != (kv is None):
        raise CellFileError("kp and kv belong together: give both or neither", where=where)
    return Axis(
        name=name,
        kind=facts.kind,
        title=entry.title or name.partition("/")[2].replace("_", " "),
        labels=entry.labels,
        hardware_limits=hardware,
        software_limits=software,
        max_velocity=speed,
        max_acceleration=acceleration,
        max_jerk=jerk,
        following_error=unit.positive("following_error", "") or DEFAULT_FOLLOWING_ERROR[facts.kind],
        max_torque=unit.torque() or facts.max_torque,
        kp=kp,
        kv=kv,
        counts_per_unit=unit.counts(),
        weight=unit.plain_positive("weight") or 1.0,
    )


def read_pose(written: Sequence[float], axes: Sequence[Axis], where: str) -> tuple[float, ...]:
    """The SI values of a pose as people write it.

    Args:
        written: a value per axis, degrees for hinges and metres for slides.
        axes: in the same order.
        where: file and key for errors.

    Raises:
        CellFileError: the count is wrong, or a value lies outside the software limits.
    """
    if len(written) != len(axes):
        raise CellFileError(
            f"one value per axis is needed: {len(axes)}",
            where=where,
            value=list(written),
            remedy=f"The axes are: {', '.join(axis.name for axis in axes)}.",
        )
    values = []
    for axis, number in zip(axes, written, strict=True):
        value = axis.from_written(number)
        inside = axis.clamp(value)
        if not abs(inside - value) <= WRITING_ERROR:  # also true for NaN
            raise CellFileError(
                f"the pose leaves the software limits of axis {axis.name}",
                where=where,
                value=number,
                limit=[axis.to_written(limit) for limit in axis.software_limits],
                remedy="Move the value inside, or widen the limits.",
            )
        values.append(inside)
    return tuple(values)


def _validate_limits(hardware: Limits, software: Limits, unit: _Units, where: str) -> None:
    for key, (low, high) in (("hardware_limits", hardware), ("software_limits", software)):
        if not low < high:
            raise CellFileError(
                "the lower limit must be below the upper one",
                where=f"{where}.{key}_{unit.length}",
                value=[unit.written(low), unit.written(high)],
                remedy="Exchange them.",
            )
    slack = 1e-9
    if software[0] < hardware[0] - slack or software[1] > hardware[1] + slack:
        raise CellFileError(
            "software limits must lie inside the hardware limits",
            where=f"{where}.software_limits_{unit.length}",
            value=[unit.written(v) for v in software],
            limit=[unit.written(v) for v in hardware],
            remedy="Narrow the software limits or widen the hardware limits.",
        )


class _Units:
    """Reads the right one of each pair of keys (`speed_deg_s` or `speed_m_s`) and refuses the other."""

    def __init__(self, kind: Literal["hinge", "slide"], entry: AxisEntry, where: str):
        self.length, self._other = ("deg", "m") if kind == "hinge" else ("m", "deg")
        self._hinge = kind == "hinge"
        self._entry = entry
        self._where = where

    def written(self, value: float) -> float:
        return round(math.degrees(value), 6) if self._hinge else value

    def _si(self, value: float) -> float:
        return math.radians(value) if self._hinge else value

    def _pick(self, right: str, wrong: str):
        if getattr(self._entry, wrong) is not None:
            kind = "hinge" if self._hinge else "slide"
            raise CellFileError(
                f"this axis is a {kind}", where=f"{self._where}.{wrong}", remedy=f"Use {right} instead."
            )
        return getattr(self._entry, right)

    def _check(self, key: str, value: float | None) -> float | None:
        if value is not None and value <= 0:
            raise CellFileError("must be positive", where=f"{self._where}.{key}", value=value)
        return value

    def limits(self, stem: str) -> Limits | None:
        pair = self._pick(f"{stem}_{self.length}", f"{stem}_{self._other}")
        return None if pair is None else (self._si(pair[0]), self._si(pair[1]))

    def positive(self, stem: str, tail: str) -> float | None:
        key = f"{stem}_{self.length}{tail}"
        value = self._check(key, self._pick(key, f"{stem}_{self._other}{tail}"))
        return None if value is None else self._si(value)

    def plain_positive(self, key: str) -> float | None:
        return self._check(key, getattr(self._entry, key))

    def torque(self) -> float | None:
        keys = ("torque_Nm", "force_N") if self._hinge else ("force_N", "torque_Nm")
        return self._check(keys[0], self._pick(*keys))

    def counts(self) -> float | None:
        keys = ("counts_per_rad", "counts_per_m") if self._hinge else ("counts_per_m", "counts_per_rad")
        return self._check(keys[0], self._pick(*keys))
