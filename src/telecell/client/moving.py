"""How a robot is moved, and how that ends."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from telecell.client.handle import Handle
from telecell.client.segment import Segment
from telecell.client.stream import Stream
from telecell.geometry import Pose
from telecell.messages.moves import (
    Home,
    JointScheme,
    MoveJoints,
    MoveJointsBy,
    MoveLine,
    MoveNamed,
    MovePose,
    MovePoseBy,
    MoveVia,
    ViaChoice,
)
from telecell.messages.stopping import Halt, Pause, Reset, Resume, Stop

NOTHING = (0.0, 0.0, 0.0)


class Moving(Handle):
    """The part of a robot's handle that moves it.

    Every move is queued behind those before it and returns at once, with its `Segment`; a refusal is raised in the
    call. `speed` (above 0, at most 1) is a share of the axes' speed limits; `blend` (0 to 1) says how much of the
    transition to the next queued segment may be used, and 0 comes to rest at the target.
    """

    # In joints

    def move_joints(
        self, joints: ArrayLike, *, speed: float = 1.0, blend: float = 1.0, scheme: JointScheme = "jerk_limited"
    ) -> Segment:
        """To joint values (rad or m)."""
        return self._ask(MoveJoints, joints=joints, speed=speed, blend=blend, scheme=scheme)

    def move_joints_by(
        self, increments: ArrayLike, *, speed: float = 1.0, blend: float = 1.0, scheme: JointScheme = "jerk_limited"
    ) -> Segment:
        """By joint increments (rad or m), from the end of what is queued."""
        return self._ask(MoveJointsBy, increments=increments, speed=speed, blend=blend, scheme=scheme)

    def move_to(
        self, pose: str, *, speed: float = 1.0, blend: float = 1.0, scheme: JointScheme = "jerk_limited"
    ) -> Segment:
        """To a named pose."""
        return self._ask(MoveNamed, pose=pose, speed=speed, blend=blend, scheme=scheme)

    def home(self, *, speed: float = 1.0, blend: float = 1.0) -> Segment:
        """To where it stands when its cell comes up."""
        return self._ask(Home, speed=speed, blend=blend)

    def move_via(
        self,
        points: ArrayLike,
        *,
        via: ViaChoice = "smooth",
        velocities: ArrayLike = (),
        speed: float = 1.0,
        blend: float = 1.0,
    ) -> Segment:
        """Through joint postures on a cubic spline, without a stop, to the last of them.

        Args:
            points: joint values, one row per posture.
            via: how the velocities in between are chosen: `smooth`, `average` or `given`.
            velocities: one row per point in between, for `given`.
            speed: share of the speed limits.
            blend: into the next segment.
        """
        return self._ask(MoveVia, points=points, via=via, velocities=velocities, speed=speed, blend=blend)

    # In space

    def move_pose(
        self,
        pose: Pose,
        *,
        frame: str = "base",
        branch: Mapping[str, str] | None = None,
        speed: float = 1.0,
        blend: float = 1.0,
        scheme: JointScheme = "jerk_limited",
    ) -> Segment:
        """The tool to a pose, each axis on its own way.

        Args:
            pose: of the tool.
            frame: what it is stated in: `base`, `world`, a user frame, or a frame of the cell.
            branch: such as `{"elbow": "above"}`; the configuration that was set, or the nearest, if left out.
            speed: share of the speed limits.
            blend: into the next segment.
            scheme: how the axes move.
        """
        return self._ask(
            MovePose, target=pose, frame=frame, branch=branch or {}, speed=speed, blend=blend, scheme=scheme
        )

    def move_line(self, pose: Pose, *, frame: str = "base", speed: float = 1.0, blend: float = 1.0) -> Segment:
        """The tool to a pose on a straight line, turning at a constant rate."""
        return self._ask(MoveLine, target=pose, frame=frame, speed=speed, blend=blend)

    def move_by(
        self,
        translation: ArrayLike = NOTHING,
        rotation: ArrayLike = NOTHING,
        *,
        oat: ArrayLike | None = None,
        frame: str = "base",
        straight: bool = False,
        speed: float = 1.0,
        blend: float = 1.0,
    ) -> Segment:
        """The tool by an increment, from the end of what is queued.

        Args:
            translation: m, in the frame.
            rotation: rotation vector, rad, in the frame.
            oat: instead of a rotation, what is added to the O, A and T (rad) of the tool in the base frame.
            frame: `base`, `world`, `tool`, a user frame, or a frame of the cell.
            straight: on a line; otherwise each axis on its own way.
            speed: share of the speed limits.
            blend: into the next segment.
        """
        return self._ask(
            MovePoseBy,
            translation_m=translation,
            rotation_rad=rotation,
            oat_rad=oat,
            frame=frame,
            straight=straight,
            speed=speed,
            blend=blend,
        )

    def stream(self, rate_hz: float = 50.0) -> Stream:
        """Follow set-points that the program sends one after the other, in a `with` block."""
        return Stream(self._session, self.name, rate_hz)

    # The end of it

    def halt(self) -> None:
        """End the motion on its path and drop what is queued; returns when the robot stands."""
        self._ask(Halt)
        self.wait_until_still()

    def pause(self) -> None:
        """Come to rest on the path and keep the rest of it; returns when the robot stands."""
        self._ask(Pause)
        self._session.wait_for(lambda: self.state.rate == 0.0, f"the pause of robot {self.name}")

    def resume(self) -> None:
        """Go on after a pause."""
        self._ask(Resume)

    def stop(self, author: str | None = None) -> None:
        """Stop it until it is reset: anybody may, without control. No safety-rated emergency stop."""
        self._ask(Stop, author=author or self._session.signature)

    def reset(self) -> None:
        """When it stands, let it move again after a stop; nothing moves by itself."""
        self._session.wait_until_still(self.name, in_control=True)
        self._ask(Reset)
