"""The whole error tree.

    TelecellError
    ├── InputError              something a person wrote is wrong
    │   ├── CellFileError       a cell, model, MJCF or URDF file
    │   └── UnknownName         a name that is not among the known ones
    ├── KinematicsError
    │   ├── JointOutOfRange     a joint value outside its limits, of the wrong count, or not finite
    │   └── NoSolution          a pose that the robot cannot take
    ├── RequestError            a request that cannot be considered
    │   ├── MalformedRequestError  not a request, or with values that no request can have
    │   ├── RequestLate         too old by the cell's clock
    │   ├── RequestOutOfOrder   its sequence number has been overtaken
    │   ├── VersionMismatch     the two sides speak different major versions
    │   └── DeadlineExceeded    the caller's own patience has ended
    ├── MotionError             a request that the robot cannot carry out now
    │   ├── NotHolder           somebody else, or nobody, holds the grant
    │   ├── NoArmPower          the drives are off
    │   ├── MotionStopped       stopped and latched until reset
    │   │   └── FollowingErrorExceeded  an axis was not where it should be: a collision, or too heavy a load
    │   ├── MotionHalted        the motion was ended before its target
    │   ├── AxisBusy            another robot moves an axis that this one needs
    │   ├── AxisFree            an axis is free to be moved by hand
    │   └── QueueFull           no room for another segment
    ├── PlantError
    │   ├── PlantDiverged       the physics produced numbers that cannot be trusted
    │   ├── PlantLost           the driver lost its robot
    │   ├── SnapshotsUnsupported  a plant that cannot be saved, such as hardware
    │   ├── SnapshotMismatch    a saved state belongs to another cell
    │   └── RenderingUnavailable  no offscreen rendering on this machine
    └── ServerError
        ├── PortBusy            another program listens there
        ├── CellBusy            another server runs the cell
        ├── CellUnreachable     nobody answers for the cell
        └── ProcessDied         a process of the cell ended by itself

Every error says who, what, which value, which limit and the way out, and carries them as fields, so that a
program can act on them and a person can read them.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence


class TelecellError(Exception):
    """Base of every error that Telecell raises on purpose.

    Attributes:
        what: what is wrong, in one sentence without a full stop.
        where: file and key, robot, axis or process concerned.
        value: the offending value.
        limit: the limit it broke.
        choices: the values that would have been accepted.
        remedy: what to do about it.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        value: object = None,
        limit: object = None,
        choices: Sequence[str] = (),
        remedy: str | None = None,
    ):
        self.what = what
        self.where = where
        self.value = value
        self.limit = limit
        self.choices = tuple(choices)
        self.remedy = remedy
        super().__init__(self._compose())

    def _compose(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.value is not None:
            text += f", got {self.value!r}"
        if self.limit is not None:
            text += f", limit {self.limit}"
        if self.choices:
            text += f"; choose from: {', '.join(self.choices)}"
        return f"{text}. {self.remedy}" if self.remedy else text


class InputError(TelecellError):
    """Something a person wrote or typed is wrong."""


class CellFileError(InputError):
    """A cell, model, MJCF or URDF file cannot be used as it is."""


class UnknownName(InputError):  # noqa: N818 - reads as the fact it states
    """A name that is not among the known ones; suggests the nearest."""

    def __init__(self, kind: str, name: str, known: Sequence[str], *, where: str | None = None):
        near = difflib.get_close_matches(name, known, n=1)
        super().__init__(
            f"no {kind} of that name",
            where=where,
            value=name,
            choices=sorted(known),
            remedy=f"Did you mean {near[0]!r}?" if near else None,
        )
        self.kind = kind


class KinematicsError(TelecellError):
    """A posture or pose that a robot cannot take."""


class JointOutOfRange(KinematicsError):  # noqa: N818
    """A joint value outside its limits, of the wrong count, or not finite."""


class NoSolution(KinematicsError):  # noqa: N818
    """A pose that the robot cannot reach."""


class RequestError(TelecellError):
    """A request that cannot be considered."""


class MalformedRequestError(RequestError):
    """Not a request, or with values that no request can have."""


class RequestLate(RequestError):  # noqa: N818
    """A request that is too old by the cell's clock."""


class RequestOutOfOrder(RequestError):  # noqa: N818
    """A command whose sequence number has been overtaken by a later one."""


class VersionMismatch(RequestError):  # noqa: N818
    """The two sides speak different major versions."""


class DeadlineExceeded(RequestError):  # noqa: N818
    """The caller's own patience has ended; the cell goes on."""


class MotionError(TelecellError):
    """A request that the robot cannot carry out now."""


class NotHolder(MotionError):  # noqa: N818
    """Somebody else, or nobody, holds the grant."""


class NoArmPower(MotionError):  # noqa: N818
    """The drives of the robot are off."""


class MotionStopped(MotionError):  # noqa: N818
    """Stopped and latched until reset."""


class FollowingErrorExceeded(MotionStopped):
    """An axis was not where it should be: a collision, or too heavy a load."""


class MotionHalted(MotionError):  # noqa: N818
    """The motion was ended before its target, by the holder."""


class AxisBusy(MotionError):  # noqa: N818
    """Another robot moves an axis that this one needs."""


class AxisFree(MotionError):  # noqa: N818
    """An axis is free to be moved by hand."""


class QueueFull(MotionError):  # noqa: N818
    """No room for another segment."""


class PlantError(TelecellError):
    """What the controller moves does not answer as it should."""


class PlantDiverged(PlantError):  # noqa: N818
    """The physics produced numbers that cannot be trusted."""


class PlantLost(PlantError):  # noqa: N818
    """The driver lost its robot: no answer, a closed line, a fault that only the hardware can clear."""


class SnapshotsUnsupported(PlantError):  # noqa: N818
    """A plant that cannot be saved and restored, such as hardware."""


class SnapshotMismatch(PlantError):  # noqa: N818
    """A saved state belongs to another cell or another version of it."""


class RenderingUnavailable(PlantError):  # noqa: N818
    """No offscreen rendering on this machine."""


class ServerError(TelecellError):
    """A process of Telecell cannot start or go on."""


class PortBusy(ServerError):  # noqa: N818
    """Another program listens on the port."""


class CellBusy(ServerError):  # noqa: N818
    """Another server runs the cell already."""


class CellUnreachable(ServerError):  # noqa: N818
    """Nobody answers for the cell: it is not running, or the way to it is cut."""


class ProcessDied(ServerError):  # noqa: N818
    """A process of the cell ended by itself."""


def find_kind(name: str) -> type[TelecellError]:
    """The class of an error by its name; the base for a name of another release."""
    kinds = [TelecellError]
    for kind in kinds:
        if kind.__name__ == name:
            return kind
        kinds.extend(kind.__subclasses__())
    return TelecellError
