"""A robot of a cell, as a program sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from numpy.typing import ArrayLike

from telecell.client.location import Location
from telecell.client.moving import Moving
from telecell.client.settings import Settings
from telecell.errors import NoSolution
from telecell.geometry import Pose
from telecell.kinematics.placements import to_pose
from telecell.messages.queries import SolveForward, SolveInverse, Where
from telecell.messages.replies import SolvedPosture


class Manipulator(Moving, Settings):
    """The handle of one robot: moves it, sets it, and says where it is.

    Asking needs nothing. Moving and setting need control of its axes, which `control` takes, and moving needs power.
    """

    @contextmanager
    def control(
        self, holder: str, *, wait_s: float = 0.0, attended: bool = False, priority: int = 0
    ) -> Iterator[Manipulator]:
        """Have control of its axes in a `with` block; see `CellClient.control`."""
        with self._session.control.block(holder, (self.name,), wait_s=wait_s, attended=attended, priority=priority):
            yield self

    def where(self) -> Location:
        """Where it is, by its encoders: its joints, and its frames in its base frame."""
        return Location.from_reply(self._ask(Where))

    def forward(self, joints: ArrayLike) -> Pose:
        """Where its tool would be with other joint values (rad or m), in its base frame."""
        return to_pose(self._ask(SolveForward, joints=joints).pose)

    def inverse(
        self,
        pose: Pose,
        *,
        frame: str = "base",
        reference: ArrayLike | None = None,
        branch: Mapping[str, str] | None = None,
    ) -> tuple[SolvedPosture, ...]:
        """The joint values that bring its tool to a pose: inside the limits first, nearest first.

        Args:
            pose: of the tool.
            frame: what it is stated in: `base`, `world`, a user frame, or a frame of the cell.
            reference: joint values to stay near; where the robot is, if left out.
            branch: wanted names, such as `{"elbow": "above"}`; any if left out.

        Raises:
            NoSolution: there are none, and why.
        """
        solved = self._ask(SolveInverse, target=pose, frame=frame, reference=reference, branch=branch or {})
        if not solved.solutions:
            raise NoSolution(solved.reason, where=self.name, remedy="Move the target, or ask for another branch.")
        return solved.solutions
