"""Set-points at a steady rate."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from numpy.typing import ArrayLike

from telecell.client.handle import Handle
from telecell.errors import InputError, MotionError
from telecell.geometry import Pose
from telecell.messages import SetPoint
from telecell.messages.moves import EndStream, Renew, StreamJoints, StreamPose
from telecell.messages.replies import Accepted

SLOWEST_HZ = 20.0
"""Half of what the dead-man time of the cell, 100 ms, would bear."""


class Stream:
    """The robot follows set-points that come one after the other: `with arm.stream(rate_hz=50) as stream`.

    Each call returns when it is time for the next one. Silence is a reason to stop: a program that has nothing new to
    say calls `renew`. Leaving the block ends the stream, and waits until the robot stands.

    Args:
        robot: who follows.
        rate_hz: set-points per second of the cell's time.
    """

    def __init__(self, robot: Handle, rate_hz: float):
        fastest = 1.0 / robot.period_s
        if not SLOWEST_HZ <= rate_hz <= fastest * (1 + 1e-9):
            raise InputError(
                "rate of the stream", where=f"robot {robot.name}", value=rate_hz, limit=f"{SLOWEST_HZ} to {fastest} Hz"
            )
        self._robot = robot
        self._interval_s = 1.0 / rate_hz
        self._next_s: float | None = None

    def send(self, joints: ArrayLike) -> Accepted:
        """Follow joint values (rad or m).

        Returns:
            What is followed, after clipping to the limits, and which axes were clipped.

        Raises:
            MotionStopped: the robot was stopped.
        """
        return self._send(StreamJoints, joints=joints)

    def send_pose(self, pose: Pose, frame: str = "base") -> Accepted:
        """Follow a pose of the tool, on the branch where the robot is.

        Raises:
            NoSolution: out of reach, or only with a jump to another branch.
            MotionStopped: the robot was stopped.
        """
        return self._send(StreamPose, target=pose, frame=frame)

    def renew(self) -> None:
        """Say that the program is still there, and has no new set-point."""
        self._send(Renew)

    def _send(self, kind: type[SetPoint], **fields: Any) -> Any:
        reply = self._robot.ask(kind, **fields)
        if self._next_s is None:
            self._next_s = self._robot.time_s - self._robot.period_s
        self._next_s = max(self._next_s + self._interval_s, self._robot.time_s)
        self._robot.run_until(self._next_s)
        return reply

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._next_s is None:
            return
        try:
            self._robot.ask(EndStream)
        except MotionError:
            # The stream is over already. In the error that leaves the block the caller has the reason.
            if error is None:
                raise
        finally:
            self._robot.wait_until_still()
