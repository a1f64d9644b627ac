"""Set-points at a steady rate."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from numpy.typing import ArrayLike

from telecell.client.pending import REPLY_TIMEOUT_S, Pending
from telecell.client.session import Session
from telecell.errors import InputError, MotionError, ServerError, TelecellError
from telecell.geometry import Pose
from telecell.messages import SetPoint
from telecell.messages.moves import EndStream, Renew, StreamJoints, StreamPose
from telecell.messages.replies import Accepted

SLOWEST_HZ = 1.0
RENEWAL_S = 0.05
"""Between slow set-points the stream is renewed so often: half of the cell's dead-man time, 100 ms."""

MOST_UNDER_WAY = 512
"""Set-points whose replies are waited for; those of older ones have been lost."""


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
        self._renew_s = math.inf
        self._under_way: deque[Pending] = deque()
        self._accepted: Accepted | None = None

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
        """Send, wait until the next call is due, and then look what has come back meanwhile.

        The first reply is waited for. The others may come one or more calls later, from far away.
        """
        transport = self._session.transport
        if transport.time_s > self._next_s + transport.period_s:
            self._next_s = transport.time_s  # late, or the first: what was missed is not made up for
        self._submit(kind, **fields)
        self._next_s += self._interval_s
        self._pass_time(lambda: transport.time_s >= self._next_s - transport.period_s / 2)
        self._take_replies()
        if self._accepted is None:
            first = self._under_way[0] if self._under_way else None
            self._pass_time(lambda: first is None or first.done)
            self._take_replies()
        return self._accepted

    def _submit(self, kind: type[SetPoint], **fields: Any) -> None:
        self._under_way.append(self._session.send(kind, robot=self._robot, **fields))
        self._renew_s = self._session.transport.time_s + RENEWAL_S
        if len(self._under_way) > MOST_UNDER_WAY:
            self._session.forget(self._under_way.popleft())

    def _pass_time(self, condition: Callable[[], bool], again: type[SetPoint] = Renew) -> None:
        """Let time pass until a condition holds, and go on giving signs of life."""
        for _ in self._session.let_pass(condition, REPLY_TIMEOUT_S, "the reply to a set-point"):
            if self._session.transport.time_s >= self._renew_s:
                self._submit(again)

    def _take_replies(self) -> None:
        """Keep the newest reply; the first refusal is raised, and what is under way after it is forgotten."""
        self._session.poll()
        answered = [pending for pending in self._under_way if pending.done]
        try:
            for pending in answered:
                reply = pending.result()
                self._accepted = reply if isinstance(reply, Accepted) else self._accepted
                if isinstance(pending.request, EndStream):
                    break  # where that was said again, the rest is refused, since the stream is over
        except TelecellError:
            self._forget(len(self._under_way))
            raise
        if answered:
            self._forget(self._under_way.index(answered[-1]) + 1)  # those before it without a reply are lost

    def _end(self) -> None:
        """End the stream; said again until it was heard, since silence would stop the robot."""
        self._submit(EndStream)
        self._pass_time(
            lambda: any(pending.done and isinstance(pending.request, EndStream) for pending in self._under_way),
            again=EndStream,
        )
        self._take_replies()

    def _forget(self, count: int) -> None:
        for _ in range(count):
            self._session.forget(self._under_way.popleft())

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._accepted is None:
            return
        try:
            try:
                self._end()
            finally:
                self._session.wait_until_still(self._robot)
        except (MotionError, ServerError):
            # The stream is over already. In the error that leaves the block the caller has the reason.
            if error is None:
                raise
