"""Where a robot is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from telecell.client.names import find_name
from telecell.geometry import Pose
from telecell.kinematics.placements import to_pose
from telecell.messages.replies import Located


@dataclass(frozen=True, slots=True)
class Location:
    """Where a robot is, by its encoders.

    Attributes:
        robot: which.
        tick: when.
        axes: names of its axes.
        joints: measured, rad or m.
        joints_desired: what the controller wants.
        frames: the robot's own frames and those of what it carries, in its base frame.
    """

    robot: str
    tick: int
    axes: tuple[str, ...]
    joints: tuple[float, ...]
    joints_desired: tuple[float, ...]
    frames: Mapping[str, Pose]

    @classmethod
    def from_reply(cls, reply: Located) -> Location:
        """From what the cell answers."""
        frames = {name: to_pose(placement) for name, placement in reply.frames.items()}
        return cls(reply.robot, reply.tick, reply.axes, reply.joints, reply.joints_desired, frames)

    def pose(self, frame: str = "tool") -> Pose:
        """A frame in the robot's base frame.

        Args:
            frame: `tool`, a full name such as `puma/flange`, or the last part of one, `flange`.

        Raises:
            UnknownName: there is none, or more than one.
        """
        return self.frames[find_name("frame", frame, tuple(self.frames), f"robot {self.robot}")]
