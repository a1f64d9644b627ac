"""What a robot is set to: power, speeds, frames, payload, named poses, and its gripper."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from telecell.client.handle import Handle
from telecell.client.names import find_name
from telecell.errors import InputError
from telecell.geometry import Pose
from telecell.messages.queries import Describe
from telecell.messages.settings import (
    DefineToolFrame,
    DeletePose,
    Free,
    Hold,
    Power,
    SavePose,
    SetConfiguration,
    SetPayload,
    SetSpeedFactor,
    SetTipSpeed,
    SetTool,
)

FINGERS_LOOK_S = 0.1
FINGERS_REST = 0.002
FINGERS_LOOKS = 50
"""Fingers rest when their opening changes by less than this from one look to the next; longest wait 5 s."""


class Settings(Handle):
    """The part of a robot's handle that sets something."""

    # Power

    def power(self, on: bool) -> None:
        """Switch the drives; returns when they have reported it. Off while it moves is a stop.

        Raises:
            MotionStopped: they stay off until a stop is reset.
            DeadlineExceeded: the drives do not report it.
        """
        self._ask(Power, on=on)
        self._session.wait_for(
            lambda: self._has_power(on) or (on and self.mode == "stopped"), f"the report of robot {self.name}'s drives"
        )
        if not self._has_power(on):
            self._ask(Power, on=on)  # refused, with the cause of the stop

    def _has_power(self, on: bool) -> bool:
        axes = self._session.transport.state().axes
        return all(axis.powered == on for axis in axes if axis.name in self.axes)

    def free(self, *axes: str) -> None:
        """Let axes be moved by hand, all of the robot if none is named; `waist` is enough for `puma/waist`."""
        self._ask(Free, axes=[find_name("axis", axis, self.axes, f"robot {self.name}") for axis in axes])

    def hold(self) -> None:
        """Hold freed axes where they are now."""
        self._ask(Hold)

    # Speeds and kinematics

    def set_speed_factor(self, factor: float) -> None:
        """Slow everything down that it does, at once (above 0, at most 1)."""
        self._ask(SetSpeedFactor, factor=factor)

    def set_tip_speed(self, speed_m_s: float) -> None:
        """How fast its tip may move: 0.25 m/s until this is called, and again when control is given back."""
        self._ask(SetTipSpeed, speed_m_s=speed_m_s)

    def configure(self, **branch: str) -> None:
        """The branch in which poses are reached from now on, such as `elbow="above"`; the nearest without any."""
        self._ask(SetConfiguration, branch=branch)

    def define_tool(self, pose: Pose) -> None:
        """Where the tool is, seen from the robot's tip frame; poses are for it from now on."""
        self._ask(DefineToolFrame, offset=pose)

    def set_payload(self, mass_kg: float, centre_m: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """What it carries, so that its weight is held: mass, and centre of mass in the tip frame."""
        self._ask(SetPayload, mass_kg=mass_kg, centre_m=centre_m)

    # Named poses

    @property
    def poses(self) -> dict[str, tuple[float, ...]]:
        """Joint values (rad or m) by name: those of the cell file and those that were saved."""
        described = self._session.ask(Describe)
        return next(dict(robot.poses) for robot in described.robots if robot.name == self.name)

    def save_pose(self, name: str, joints: ArrayLike | None = None) -> None:
        """Give joint values a name; where it is, if they are left out."""
        self._ask(SavePose, name=name, joints=joints)

    def delete_pose(self, name: str) -> None:
        """Forget a saved pose; those of the cell file stay."""
        self._ask(DeletePose, name=name)

    # The gripper

    @property
    def opening(self) -> float:
        """How far its gripper is open: 0 is closed, 1 is open."""
        name = self._get_tool()
        return next(tool.opening for tool in self._session.transport.state().tools if tool.name == name)

    def open_tool(self) -> float:
        """Open the gripper as far as it goes; see `grip`."""
        return self.grip(1.0)

    def close_tool(self) -> float:
        """Close the gripper, or take hold of what is between its fingers; see `grip`."""
        return self.grip(0.0)

    def grip(self, opening: float, force_N: float | None = None) -> float:
        """Open (1) or close (0) the gripper, or anything between.

        Args:
            opening: wanted.
            force_N: what its fingers press with at most; all they can if left out.

        Returns:
            How far it is open when the fingers have come to rest: more than was wanted if something is between them.

        Raises:
            InputError: the robot has no gripper, or it cannot do that.
        """
        self._session.ask(SetTool, tool=self._get_tool(), opening=opening, force_N=force_N)
        before = math.inf
        for _ in range(FINGERS_LOOKS):
            if abs(self.opening - before) < FINGERS_REST:
                break
            before = self.opening
            self._session.run(FINGERS_LOOK_S)
        return self.opening

    def _get_tool(self) -> str:
        if self._tool is None:
            raise InputError("the robot has no gripper", where=f"robot {self.name}", remedy="Ask a robot that has.")
        return self._tool
