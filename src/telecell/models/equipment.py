"""From the entries of the files to tools, sensors, signals and cameras."""

from __future__ import annotations

import math
from collections.abc import Iterable

from telecell.errors import CellFileError, InputError, UnknownName
from telecell.geometry import Pose
from telecell.models.cell import Beam, Camera, ForceSensor, Mount, Signal, Tool
from telecell.models.description import CameraEntry, FrameEntry, MountEntry, SignalEntry


def read_placement(entry: MountEntry | FrameEntry | CameraEntry, where: str) -> Pose:
    """Where something is in the frame that it is fixed to.

    Raises:
        CellFileError: numbers that cannot be computed with.
    """
    roll, pitch, yaw = (math.radians(angle) for angle in entry.rpy_deg)
    try:
        return Pose.from_xyz_rpy(entry.xyz_m, (roll, pitch, yaw))
    except InputError as error:
        remedy = "Metres and degrees are needed."
        raise CellFileError(error.what, where=where, value=error.value, limit=error.limit, remedy=remedy) from None


def build_tools(mount: Mount) -> Iterable[Tool]:
    """What opens and closes on a mount."""
    for name, entry in mount.model.description.tools.items():

        def values(written: tuple[float, ...], joints: tuple[str, ...] = entry.joints) -> tuple[float, ...]:
            kinds = [mount.model.joints[joint].kind for joint in joints]
            return tuple(math.radians(v) if k == "hinge" else v for v, k in zip(written, kinds, strict=True))

        yield Tool(
            f"{mount.name}/{name}",
            entry.drive,
            f"{mount.name}/{entry.tip}",
            tuple(f"{mount.name}/{joint}" for joint in entry.joints),
            values(entry.closed_deg_m),
            values(entry.open_deg_m),
            entry.force_N,
        )


def build_force_sensors(mount: Mount) -> Iterable[ForceSensor]:
    """The force sensors of a mount."""
    for name, entry in mount.model.description.force_sensors.items():
        yield ForceSensor(
            f"{mount.name}/{name}",
            f"{mount.name}/{entry.frame}",
            entry.range_N,
            entry.range_Nm,
            entry.noise_N,
            entry.noise_Nm,
        )


def build_beams(mount: Mount) -> Iterable[Beam]:
    """The light beams of a mount."""
    for name, entry in mount.model.description.beams.items():
        yield Beam(f"{mount.name}/{name}", f"{mount.name}/{entry.start}", f"{mount.name}/{entry.end}")


def build_signal(entry: SignalEntry, where: str) -> Signal:
    """A binary line of the cell."""
    if entry.role is not None and entry.direction == "out":
        raise CellFileError(
            "only an input can forbid motion",
            where=f"{where}, signals.{entry.name}.role",
            value=entry.role,
            remedy='Delete the role, or say direction = "in".',
        )
    return Signal(entry.name, entry.title or entry.name, entry.direction, entry.normal, entry.role)


def build_camera(entry: CameraEntry, frames: list[str], where: str) -> Camera:
    """A camera of the cell."""
    if entry.on not in frames:
        raise UnknownName("frame", entry.on, frames, where=f"{where}, cameras.{entry.name}.on")
    if not 0 < entry.fovy_deg < 180:
        raise CellFileError(
            "field of view",
            where=f"{where}, cameras.{entry.name}.fovy_deg",
            value=entry.fovy_deg,
            limit="0 to 180 deg",
        )
    return Camera(entry.name, entry.on, read_placement(entry, f"{where}, cameras.{entry.name}"), entry.fovy_deg)
