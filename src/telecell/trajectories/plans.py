"""Every kind of plan, and the way from a plan to its trajectory."""

from __future__ import annotations

from telecell.trajectories.brake import Brake, BrakePlan
from telecell.trajectories.jerk_limited import JerkLimitedPlan, build_jerk_limited
from telecell.trajectories.parabolic import Parabolic, ParabolicPlan
from telecell.trajectories.quintic import Quintic, QuinticPlan
from telecell.trajectories.spline import Spline, SplinePlan
from telecell.trajectories.trajectory import Trajectory

AnyPlan = JerkLimitedPlan | BrakePlan | ParabolicPlan | QuinticPlan | SplinePlan
"""What snapshots store: tagged structs of plain numbers, which msgspec writes and reads without loss."""


def build(plan: AnyPlan) -> Trajectory:
    """The trajectory of a plan; the same plan gives the same bits, in any process.

    Raises:
        SnapshotMismatch: the plan is damaged: wrong lengths, numbers that are not finite, times that do not grow.
    """
    match plan:
        case JerkLimitedPlan():
            return build_jerk_limited(plan)
        case BrakePlan():
            return Brake(plan)
        case ParabolicPlan():
            return Parabolic(plan)
        case QuinticPlan():
            return Quintic(plan)
        case SplinePlan():
            return Spline(plan)
