"""What the controller sees of whatever it moves: physics, fake, or hardware."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from telecell.errors import SnapshotMismatch
from telecell.plant.snapshots import decode_snapshot

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Command:
    """Set-points for the end of the coming control period, in the cell's axis and tool order.

    Attributes:
        q_desired: axis positions, rad or m.
        v_desired: axis velocities, rad/s or m/s.
        openings: tool openings, 0 closed to 1 open; a pneumatic tool opens from 0.5 upwards.
    """

    q_desired: Array
    v_desired: Array
    openings: Array


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the sensors say at the end of a control period, in the cell's order.

    Attributes:
        tick: control periods since the start.
        q_measured: encoder positions, rad or m.
        v_measured: encoder positions differentiated over the period.
        torque: what the drives give, N·m or N.
        openings: tool openings, 0 closed to 1 open.
        beams: whether each light beam is interrupted.
        wrenches: force then torque of each force sensor, in its frame (N, N·m): what the arm applies to the tool.
        parts: position and quaternion wxyz of each part in the world.
    """

    tick: int
    q_measured: Array
    v_measured: Array
    torque: Array
    openings: Array
    beams: NDArray[np.bool_]
    wrenches: Array
    parts: Array

    def to_bytes(self) -> bytes:
        """For snapshots: the exact bits."""
        return msgspec.msgpack.encode(
            [self.tick, *(getattr(self, name).tobytes() for name in _SHAPES), self.beams.tobytes()]
        )

    @classmethod
    def from_bytes(cls, packed: bytes, like: Measurement) -> Measurement:
        """The inverse of `to_bytes`.

        Args:
            packed: what `to_bytes` gave.
            like: a measurement of the same cell.

        Raises:
            SnapshotMismatch: damaged, or of another cell.
        """
        tick, *arrays, beams = decode_snapshot(packed, _PACKED, "a measurement")
        try:
            fields = {
                name: np.frombuffer(array).reshape(shape)
                for (name, shape), array in zip(_SHAPES.items(), arrays, strict=True)
            }
            measured = cls(tick=tick, beams=np.frombuffer(beams, dtype=bool), **fields)
        except ValueError as error:
            raise SnapshotMismatch(f"damaged measurement: {error}") from None
        for name in (*_SHAPES, "beams"):
            values, expected = getattr(measured, name), getattr(like, name)
            if values.shape != expected.shape or not np.isfinite(values).all():
                raise SnapshotMismatch("damaged measurement", where=name, value=values.shape, limit=expected.shape)
        return measured


_SHAPES = {
    "q_measured": (-1,),
    "v_measured": (-1,),
    "torque": (-1,),
    "openings": (-1,),
    "wrenches": (-1, 6),
    "parts": (-1, 7),
}


_PACKED = tuple[int, bytes, bytes, bytes, bytes, bytes, bytes, bytes]


class Plant(Protocol):
    """One cell's hardware or its stand-in.

    `step` takes one control period, deterministically for physics and fake; `save` and `restore` carry the complete
    state, so that a restored plant goes on bit for bit.
    """

    period_s: float

    def step(self, command: Command) -> Measurement:
        """Advance by one control period."""
        ...

    def measure(self) -> Measurement:
        """Read the sensors without advancing."""
        ...

    def save(self) -> bytes:
        """The complete state."""
        ...

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell."""
        ...
