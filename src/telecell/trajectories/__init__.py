"""Motion as a function of time: one file per scheme, one interface.

limits = MotionLimits.from_axes(robot.axes)
plan = plan_jerk_limited(limits, start, goal)      a frozen struct of plain numbers, for snapshots
trajectory = build(plan)                           the same bits each time
position, velocity, acceleration = trajectory.at(0.5)
"""

from telecell.trajectories.brake import BrakePlan, plan_brake
from telecell.trajectories.cubic_spline import plan_spline
from telecell.trajectories.jerk_limited import JerkLimitedPlan, plan_jerk_limited
from telecell.trajectories.limits import MotionLimits
from telecell.trajectories.line import TipLimits, plan_line
from telecell.trajectories.parabolic import ParabolicPlan, compute_blend, plan_parabolic
from telecell.trajectories.plans import AnyPlan, build
from telecell.trajectories.quintic import QuinticPlan, plan_quintic
from telecell.trajectories.spline import SplinePlan, stretch_spline
from telecell.trajectories.trajectory import Sample, Trajectory

SCHEMES = {
    "jerk_limited": "as fast as velocity, acceleration and jerk allow, straight in joint space",
    "parabolic": "linear in joint space, with parabolic blends of one common time",
    "quintic": "fifth degree, straight in joint space, zero velocity and acceleration at both ends",
    "spline": "cubic pieces through via points without stopping",
    "line": "straight line of the tip, turning about one fixed axis",
}
"""Every way to move, by name."""

__all__ = [
    "SCHEMES",
    "AnyPlan",
    "BrakePlan",
    "JerkLimitedPlan",
    "MotionLimits",
    "ParabolicPlan",
    "QuinticPlan",
    "Sample",
    "SplinePlan",
    "TipLimits",
    "Trajectory",
    "build",
    "compute_blend",
    "plan_brake",
    "plan_jerk_limited",
    "plan_line",
    "plan_parabolic",
    "plan_quintic",
    "plan_spline",
    "stretch_spline",
]
