"""One piece of motion, from the moment it is accepted."""

from __future__ import annotations

from telecell.client.pending import Awaited, LetPass
from telecell.client.stops import build_stop_error
from telecell.errors import MotionHalted
from telecell.messages.events import Outcome, Stopped
from telecell.messages.replies import Queued

MOTION_TIMEOUT_S = 600.0
"""How long the end of a motion is waited for, in the cell's time."""


class Segment(Awaited["Segment"]):
    """A motion that was accepted. `segment.wait()` or `await segment` returns it when the robot has arrived.

    Waiting raises `MotionHalted` when the motion was ended before its target, `MotionStopped` (after a collision its
    kind `FollowingErrorExceeded`) when the robot was stopped, `PlantLost` when its plant was lost, and
    `DeadlineExceeded` when the caller's patience ends first: after 600 s of the cell's time, if `wait` is not told
    otherwise.

    Attributes:
        robot: whose.
        number: its number among those of the robot.
        duration_s: how long it takes by itself.
        ends_in_s: when it was going to end at the moment of its acceptance, with everything queued before it.
        goal: where the axes will be at its end, rad or m.
        outcome: `arrived`, `halted`, `stopped`, or None as long as it is not over.
    """

    def __init__(self, robot: str, queued: Queued, let_pass: LetPass):
        super().__init__(let_pass, f"the end of segment {queued.segment} of robot {robot}", MOTION_TIMEOUT_S)
        self.robot = robot
        self.number = queued.segment
        self.duration_s = queued.duration_s
        self.ends_in_s = queued.ends_in_s
        self.goal = queued.goal
        self.outcome: Outcome | None = None

    def end(self, outcome: Outcome, stop: Stopped | None) -> None:
        """It is over.

        Args:
            outcome: how.
            stop: what stopped it, if it was stopped.
        """
        self.outcome = outcome
        where = f"robot {self.robot}, segment {self.number}"
        if outcome == "arrived":
            self.settle(self)
        elif stop is not None:
            self.fail(build_stop_error(stop, where))
        else:
            self.fail(MotionHalted("the motion was ended before its target", where=where, remedy="Ask for it again."))

    def __repr__(self) -> str:
        return f"<Segment {self.number} of {self.robot}: {self.outcome or 'under way'}, {self.duration_s:.3f} s>"
