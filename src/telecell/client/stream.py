"""Set-points at a steady rate."""

from __future__ import annotations

import math
from types import TracebackType
from typing import Any

from numpy.typing import ArrayLike

from telecell.client.session import Session
from telecell.errors import InputError, MotionError
from telecell.geometry import Pose
from telecell.messages import SetPoint
from telecell.messages.moves import EndStream, Renew, StreamJoints, StreamPose
from telecell.messages.replies import Accepted

SLOWEST_HZ = 1.0
RENEWAL_S = 0.05
"""Between slow set-points the stream is renewed so often: half of the cell's dead-man time, 100 ms."""


class Stream:
    """The robot follows set-points that come one after the other: `with arm.stream(rate_hz=50) as stream`.

    Each call returns when it is time for the next one, and renews the stream until then. Silence is a reason to stop: a
    program that has nothing new to say calls `renew`. Leaving the block ends the stream, and waits until the robot
    stands.

    Args:
        session: with the cell.
        robot: who follows.
        rate_hz: set-points per second of the cell's time.
    """

    def __init__(self, session: Session, robot: str, rate_hz: float):
        fastest = 1.0 / session.transport.period_s
        if not SLOWEST_HZ <= rate_hz <= fastest:
            raise InputError(
                "rate of the stream",
                where=f"robot {robot}",
                value=rate_hz,
                limit=f"{SLOWEST_HZ:g} to {fastest:g} Hz",
                remedy="Choose a rate between them.",
            )
        self._session, self._robot = session, robot
        self._interval_s = 1.0 / rate_hz
        self._next_s = -math.inf
        self._begun = False

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
        transport = self._session.transport
        if transport.time_s > self._next_s + transport.period_s:
            self._next_s = transport.time_s  # late, or the first: what was missed is not made up for
        reply = self._session.ask(kind, robot=self._robot, **fields)
        self._begun = True
        self._next_s += self._interval_s
        self._wait_for_next()
        return reply

    def _wait_for_next(self) -> None:
        """Let time pass until the next call is due; between slow set-points the stream is renewed."""
        while (left_s := self._next_s - self._session.transport.time_s) > RENEWAL_S:
            self._session.run(RENEWAL_S)
            self._session.ask(Renew, robot=self._robot)
        self._session.run(max(left_s, 0.0))

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._begun:
            return
        try:
            self._session.ask(EndStream, robot=self._robot)
        except MotionError:
            # The stream is over already. In the error that leaves the block the caller has the reason.
            if error is None:
                raise
        finally:
            self._session.wait_until_still(self._robot)
