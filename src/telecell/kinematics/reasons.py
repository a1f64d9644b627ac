"""Why there is no solution, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import degrees

from telecell.kinematics.solution import Solution


def explain_reach(beyond_m: float) -> str:
    """For a target farther away than all links in a line."""
    return f"the target is at least {1000 * beyond_m:.1f} mm beyond the arm's reach"


def explain_miss(position_error_m: float, rotation_error_rad: float) -> str:
    """For a target that no posture reaches."""
    return (
        "no posture takes the tip to the target; the nearest found misses it by "
        f"{1000 * position_error_m:.3f} mm and {degrees(rotation_error_rad):.3f} deg"
    )


def explain_limits(solutions: Sequence[Solution], axes: Sequence[str]) -> str:
    """For solutions in closed form that are all outside the limits: names the one that is least outside."""
    least = max(solutions, key=lambda solution: min(solution.limit_margins))
    values = dict(zip(axes, zip(least.joints, least.limits, strict=True), strict=True))
    parts = []
    for axis in least.outside:
        value, (lower, upper) = values[axis]
        parts.append(f"{axis} {degrees(value):.2f} ({degrees(lower):.2f} to {degrees(upper):.2f})")
    return f"every solution is outside the limits; least outside, in degrees: {', '.join(parts)}"


def explain_branch(wanted: Mapping[str, str], solutions: Sequence[Solution]) -> str:
    """For a target that is only reached in other branches."""
    others = sorted({describe_branch(solution.branch) for solution in solutions if solution.inside_limits})
    found = f"inside the limits are: {', '.join(others)}" if others else "no other is inside the limits"
    return f"no solution with {describe_branch(wanted)}; {found}"


def describe_branch(branch: Mapping[str, str]) -> str:
    """A branch as a person writes it, for example `lefty above noflip`."""
    return " ".join(branch.values())
