"""One of every request, reply and event, with every field set."""

from __future__ import annotations

from telecell.errors import JointOutOfRange
from telecell.messages import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    ErrorReport,
    Grant,
    GrantState,
    Placement,
    events,
    granting,
    moves,
    queries,
    replies,
    stopping,
)
from telecell.messages import settings as set_

PLACE = Placement((0.4, -0.1, 0.25), (0.0, 1.0, 0.0, 0.0))
JOINTS = (0.1, -1.5, 1.6, 0.0, 0.2, 1e-9)
CARRIED = {"sequence": 7, "sender": "5e", "grant": Grant("a1", 3), "echo": 12, "ttl_s": 0.2}
ROBOT = {**CARRIED, "robot": "puma"}
MOVE = {**ROBOT, "speed": 0.5, "blend": 0.0}
JOINT_MOVE = {**MOVE, "scheme": "quintic"}
TRIPLE = (0.1, 0.0, -0.2)

REQUESTS: tuple[AnyRequest, ...] = (
    queries.Hello(**CARRIED, version="3.0"),
    queries.Describe(**CARRIED),
    queries.Where(**ROBOT),
    queries.SolveForward(**ROBOT, joints=JOINTS),
    queries.SolveInverse(**ROBOT, target=PLACE, frame="world", reference=JOINTS, branch={"elbow": "above"}),
    queries.ReadSignals(**CARRIED, names=("door",)),
    queries.Subscribe(**CARRIED, after=5, kinds=("stopped",)),
    moves.MoveJoints(**JOINT_MOVE, joints=JOINTS),
    moves.MoveJointsBy(**JOINT_MOVE, increments=JOINTS),
    moves.MoveNamed(**JOINT_MOVE, pose="ready"),
    moves.Home(**MOVE),
    moves.MovePose(**JOINT_MOVE, target=PLACE, frame="world", branch={"arm": "lefty"}),
    moves.MoveLine(**MOVE, target=PLACE, frame="bench"),
    moves.MovePoseBy(**MOVE, translation_m=TRIPLE, rotation_rad=TRIPLE, oat_rad=TRIPLE, frame="tool", straight=True),
    moves.MoveVia(**MOVE, points=(JOINTS, JOINTS), via="given", velocities=(JOINTS,)),
    moves.StreamJoints(**ROBOT, joints=JOINTS),
    moves.StreamPose(**ROBOT, target=PLACE, frame="world"),
    moves.Renew(**ROBOT),
    moves.EndStream(**ROBOT),
    granting.Acquire(**CARRIED, holder="Ada", axes=("puma",), source="page", priority=2, wait=True),
    granting.RenewGrant(**CARRIED, attending=False),
    granting.ReleaseGrant(**CARRIED),
    granting.SplitGrant(**CARRIED, parts=(("FL",), ("FR",))),
    granting.MergeGrants(**CARRIED, others=(Grant("a1", 4),)),
    granting.HandOver(**CARRIED, to="Bob"),
    granting.TakeBack(**CARRIED, author="Eve", reason="lunch", axes=("puma",)),
    granting.ListGrants(**CARRIED),
    set_.Power(**ROBOT, on=True),
    set_.SetSpeedFactor(**ROBOT, factor=0.5),
    set_.SetTipSpeed(**ROBOT, speed_m_s=0.5),
    set_.SetConfiguration(**ROBOT, branch={"wrist": "flip"}),
    set_.Free(**ROBOT, axes=("puma/waist",)),
    set_.Hold(**ROBOT),
    set_.SetTool(**CARRIED, tool="jaw/fingers", opening=0.5, force_N=10.0),
    set_.SetSignal(**CARRIED, name="valve", value=True),
    set_.DefineToolFrame(**ROBOT, offset=PLACE),
    set_.DefineUserFrame(**CARRIED, name="bench", origin_m=TRIPLE, on_x_m=TRIPLE, towards_y_m=TRIPLE),
    set_.SetPayload(**ROBOT, mass_kg=1.5, centre_m=TRIPLE),
    set_.SavePose(**ROBOT, name="here", joints=JOINTS),
    set_.DeletePose(**ROBOT, name="here"),
    stopping.Halt(**ROBOT),
    stopping.Pause(**ROBOT),
    stopping.Resume(**ROBOT),
    stopping.Stop(**ROBOT, author="Ada"),
    stopping.Reset(**ROBOT),
)

HAPPENED = {"number": 4, "tick": 100, "request": 7, "sender": "5e", "robot": "puma", "segment": 2}
EVENTS: tuple[AnyEvent, ...] = (
    events.SegmentStarted(**HAPPENED),
    events.SegmentEnded(**HAPPENED, outcome="arrived"),
    events.StreamEnded(**HAPPENED, outcome="stopped"),
    events.ModeChanged(**HAPPENED, mode="moving", before="holding"),
    events.Stopped(
        **HAPPENED, cause="stop", category=2, axes=("puma/waist",), reason="by Ada", axis="puma/waist", author="Ada"
    ),
    events.StoppedAxesReset(**HAPPENED, axes=("puma/waist",)),
    events.PowerChanged(**HAPPENED, on=True),
    events.GrantChanged(
        **HAPPENED, change="released", holder="Ada", axes=("puma/waist",), reason="given back by Ada", tenure=3
    ),
    events.SignalChanged(**HAPPENED, name="door", value=False),
    events.PosesChanged(**HAPPENED, pose="here", deleted=True),
    events.CommandRefused(**HAPPENED, operation="home", reason="the drives are off"),
    events.Warned(**HAPPENED, reason="the disk is full"),
)

REPLIES: tuple[AnyReply, ...] = (
    replies.Done(7),
    replies.Queued(7, segment=2, duration_s=1.5, ends_in_s=3.0, goal=JOINTS),
    replies.Accepted(7, JOINTS, ("puma/waist",)),
    replies.Granted(7, (replies.GrantEntry(Grant("a1", 3), "Ada", ("puma/waist",), 1.0, 0.5),)),
    replies.Waiting(7, 2, "somebody else has control"),
    replies.GrantsListed(
        7,
        (GrantState(3, "Ada", "5e", "page", 2, ("puma/waist",), 0.1, 60.0, 2.5, 0.02, 0.0),),
        (replies.WaitingEntry("Bob", ("puma/waist",), 0, 4.5),),
        tuple(event for event in EVENTS if isinstance(event, events.GrantChanged)),
    ),
    replies.Welcome(7, "3.0", "0.1.0", "puma", 0.004, 12),
    replies.Described(
        7,
        version="3.0",
        software="0.1.0",
        cell="puma",
        title="PUMA",
        period_s=0.004,
        axes=(replies.AxisEntry("puma/waist", "waist", "hinge", -1.0, 1.0, 1.0, 2.0, 20.0, 0.05),),
        robots=(
            replies.RobotEntry(
                "puma", "PUMA 560", ("puma/waist",), "b", "t", None, {"ready": JOINTS}, {"elbow": ("above", "below")}
            ),
        ),
        tools=("jaw/fingers",),
        signals=(replies.SignalEntry("door", "guard door closed", "in"),),
        frames=("world",),
        operations=("home",),
        schemes={"quintic": "fifth degree"},
    ),
    replies.Located(7, "puma", 12, ("puma/waist",), (0.1,), (0.1,), {"tool": PLACE}),
    replies.Solved(7, PLACE, (replies.SolvedPosture(JOINTS, {"elbow": "above"}, True),), "reached"),
    replies.SignalsRead(7, {"door": True}),
    replies.Subscribed(7, EVENTS, 4, 0),
    replies.Refused(7, ErrorReport.from_error(JointOutOfRange("too far", value=2.0, limit=1.0))),
)
