"""What the controller sees of whatever it moves: physics, fake, or hardware. docs/drivers.md explains the contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.contract.snapshots import decode_snapshot
from telecell.errors import SnapshotMismatch
from telecell.models import Cell

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Drives = NDArray[np.int8]


class Drive(IntEnum):
    """What the drive of an axis does."""

    OFF = 0
    """No power, brake set."""
    SERVO = 1
    """Follows the set-points."""
    FREE = 2
    """Powered, gravity compensated, position loop open: moved by hand."""


_NO_DRIVES = np.zeros(0, np.int8)
_NO_NUMBERS = np.zeros(0)
_NO_FLAGS = np.zeros(0, bool)


@dataclass(frozen=True, slots=True)
class Command:
    """Set-points for the end of the coming control period, in the cell's order.

    The first three arrays are always complete. Of the others an empty one means "as usual"; plants complete a command
    by `CommandValidator`.

    Attributes:
        q_desired: axis positions, rad or m.
        v_desired: axis velocities, rad/s or m/s.
        openings: tool openings, 0 closed to 1 open; a pneumatic tool opens from 0.5 upwards.
        drives: a `Drive` per axis; usually all `SERVO`.
        torque_feedforward: what the servo of each axis adds, N·m or N; usually nothing.
        grip_forces: largest force of each tool's fingers, N (N·m for hinged fingers); usually, and at most, the
            tool's own.
        outputs: value of each output signal; usually its normal one.
    """

    q_desired: Array
    v_desired: Array
    openings: Array
    drives: Drives = field(default_factory=lambda: _NO_DRIVES)
    torque_feedforward: Array = field(default_factory=lambda: _NO_NUMBERS)
    grip_forces: Array = field(default_factory=lambda: _NO_NUMBERS)
    outputs: Flags = field(default_factory=lambda: _NO_FLAGS)

    @classmethod
    def holding(cls, cell: Cell, q_desired: Array | None = None, drive: Drive = Drive.SERVO) -> Command:
        """A complete command that stands still: tools open, full grip force, outputs at their normal values.

        Args:
            cell: what is commanded.
            q_desired: where; the start pose by default.
            drive: of every axis.
        """
        count = len(cell.axes)
        return cls(
            q_desired=np.array(cell.start if q_desired is None else q_desired, dtype=float),
            v_desired=np.zeros(count),
            openings=np.ones(len(cell.tools)),
            drives=np.full(count, drive, np.int8),
            torque_feedforward=np.zeros(count),
            grip_forces=np.array([tool.force for tool in cell.tools], dtype=float),
            outputs=np.array([signal.normal for signal in cell.outputs], dtype=bool),
        )


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the sensors say at the end of a control period, in the cell's order; every number is finite.

    Attributes:
        tick: control periods since the start.
        q_measured: encoder positions, rad or m.
        v_measured: encoder positions differentiated over the period.
        torque: what the drives give, N·m or N; nothing where they have no power.
        openings: tool openings, 0 closed to 1 open.
        beams: whether each light beam is interrupted.
        wrenches: force then torque of each force sensor, in its frame (N, N·m): what the arm applies to the tool.
        parts: position and quaternion wxyz of each part in the world.
        powered: whether the drive of each axis reports power.
        inputs: value of each input signal.
    """

    tick: int
    q_measured: Array
    v_measured: Array
    torque: Array
    openings: Array
    beams: Flags
    wrenches: Array
    parts: Array
    powered: Flags
    inputs: Flags

    @classmethod
    def resting(cls, cell: Cell, q_measured: Array) -> Measurement:
        """What a plant may say before its first step: no power, no forces, tools open, inputs normal, parts at zero."""
        count = len(cell.axes)
        return cls(
            tick=0,
            q_measured=q_measured,
            v_measured=np.zeros(count),
            torque=np.zeros(count),
            openings=np.ones(len(cell.tools)),
            beams=np.zeros(len(cell.beams), dtype=bool),
            wrenches=np.zeros((len(cell.force_sensors), 6)),
            parts=np.tile([0.0, 0, 0, 1, 0, 0, 0], (len(cell.parts), 1)),
            powered=np.zeros(count, dtype=bool),
            inputs=np.array([signal.normal for signal in cell.inputs], dtype=bool),
        )

    def to_bytes(self) -> bytes:
        """For snapshots: the exact bits."""
        return msgspec.msgpack.encode([self.tick, *(getattr(self, name).tobytes() for name in _LAYOUT)])

    @classmethod
    def from_bytes(cls, packed: bytes, like: Measurement) -> Measurement:
        """The inverse of `to_bytes`.

        Args:
            packed: what `to_bytes` gave.
            like: a measurement of the same cell.

        Raises:
            SnapshotMismatch: damaged, or of another cell.
        """
        tick, *arrays = decode_snapshot(packed, _PACKED, "a measurement")
        fields = {
            name: unpack_array(array, getattr(like, name), f"measured {name}")
            for name, array in zip(_LAYOUT, arrays, strict=True)
        }
        return cls(tick=tick, **fields)


_LAYOUT = ("q_measured", "v_measured", "torque", "openings", "beams", "wrenches", "parts", "powered", "inputs")
_PACKED = tuple[int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]


def unpack_array(packed: bytes, like: np.ndarray, where: str) -> np.ndarray:
    """An array from its bytes in a snapshot.

    Args:
        packed: what `tobytes` gave.
        like: an array of the same shape and type.
        where: what it is, for the error.

    Raises:
        SnapshotMismatch: of another size, or not finite.
    """
    if len(packed) == like.nbytes:
        values = np.frombuffer(packed, dtype=like.dtype).reshape(like.shape)
        if np.isfinite(values).all():
            return values
    raise SnapshotMismatch("damaged array", where=where, value=f"{len(packed)} bytes", limit=f"{like.nbytes} bytes")


class Plant(Protocol):
    """One cell's hardware or its stand-in.

    A plant comes up with every drive off. Between `start` and `close`, `step` is called once per control period, by one
    thread. Arrays are in the order of the cell: `cell.axes`, `cell.tools`, `cell.inputs` and so on. A step refuses a
    command with values that are not finite or of the wrong count (`JointOutOfRange`, `InputError`) before anything
    moves, and raises `PlantLost` when the robot does not answer any more.

    On `Drive.OFF` an axis is braked at once, whatever its speed (a stop of category 0), and then held by its brake.

    Attributes:
        cell: what it moves.
        period_s: the control period.
        deterministic: the same commands and seed give the same bits.
        snapshots: `save` and `restore` work.
        paces: `step` waits until the end of its period; otherwise it returns at once and the caller keeps the time.
        supports_ramped_power_off: after an emergency stop or an open door the drives keep their power until they are
            commanded off, so that the controller may ramp down first (a stop of category 1).
    """

    cell: Cell
    period_s: float
    deterministic: bool
    snapshots: bool
    paces: bool
    supports_ramped_power_off: bool

    def start(self) -> None:
        """Open what has to be opened.

        Raises:
            PlantLost: the robot does not answer.
        """
        ...

    def close(self) -> None:
        """Brake, cut the power and let everything go; may be called twice, and without `start`."""
        ...

    def step(self, command: Command) -> Measurement:
        """Advance by one control period.

        Raises:
            JointOutOfRange: a number per axis that is not finite, or of the wrong count; nothing moves.
            InputError: the same of tools, drives and outputs.
            PlantLost: the driver lost its robot.
            PlantDiverged: the simulation cannot be trusted any more.
        """
        ...

    def measure(self) -> Measurement:
        """The last reading of the sensors, without advancing."""
        ...

    def save(self) -> bytes:
        """The complete state: a restored plant goes on bit for bit.

        Raises:
            SnapshotsUnsupported: `snapshots` is False.
        """
        ...

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell.

        Raises:
            SnapshotMismatch: of another cell, or damaged; nothing changes.
            SnapshotsUnsupported: `snapshots` is False.
        """
        ...


AnyPlant = TypeVar("AnyPlant", bound=Plant)


@contextmanager
def started(plant: AnyPlant) -> Iterator[AnyPlant]:
    """Start a plant, and close it however the block ends."""
    try:
        plant.start()
        yield plant
    finally:
        plant.close()
