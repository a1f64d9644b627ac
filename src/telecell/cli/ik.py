"""`telecell ik`: every posture that brings a robot's hand to a pose."""

from __future__ import annotations

from math import cos, degrees, radians, sin
from typing import TYPE_CHECKING, Annotated, Any

import typer

from telecell.cli.fk import BaseOption, FrameOption, ModelArgument, build_pose_document
from telecell.cli.output import JsonFlag, format_value, get_unit_suffix, get_written_unit, print_json, print_table
from telecell.cli.selection import find_frame, parse_joints, require_finite, select_robot
from telecell.errors import NoSolution

if TYPE_CHECKING:
    from telecell.geometry import Pose
    from telecell.kinematics import InverseResult, Solution
    from telecell.models import Cell, Robot

EXAMPLES = (
    "telecell ik puma560 --xyz -0.3 0.1 0.5 --rpy-deg 0 90 0",
    'telecell ik puma560 --xyz 0.5 0.1 0.2 --frame flange --reference-deg "0 -45 180 0 45 0"',
    "telecell ik cirsse/FL --xyz 0.9 -1.0 1.2 --rpy-deg 180 0 0 --json",
)


def run(
    model: ModelArgument,
    xyz: Annotated[tuple[float, float, float], typer.Option(metavar="X Y Z", help="Position, metres.")],
    rpy_deg: Annotated[
        tuple[float, float, float],
        typer.Option(metavar="R P Y", help="Roll, pitch, yaw, degrees: R = Rz(yaw) Ry(pitch) Rx(roll)."),
    ] = (0.0, 0.0, 0.0),
    frame: FrameOption = None,
    base: BaseOption = None,
    reference_deg: Annotated[
        str | None,
        typer.Option(
            metavar='"J1 J2 ..."',
            help="Posture to stay near, written like --joints-deg of fk; the cell's start by default.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Inverse kinematics: all branches that take the tip to a pose.

    Those inside the limits come first, then those nearest to the reference.
    The exit code is 1, with the reason, when none is inside the limits.
    """
    from telecell.geometry import Pose

    roll, pitch, yaw = (radians(angle) for angle in require_finite(rpy_deg, "--rpy-deg"))
    target = Pose.from_xyz_rpy(require_finite(xyz, "--xyz"), (roll, pitch, yaw))
    cell, robot = select_robot(model)
    reference = parse_joints(reference_deg, robot, "--reference-deg") if reference_deg else None
    robot = _between(cell, robot, frame, base)
    result = _solve(cell, robot, target, reference)
    if as_json:
        print_json(_build_document(robot, target, result))
    else:
        _print_solutions(robot, result)
    if not result.reachable:
        raise NoSolution(result.reason, where=f"robot {robot.name}")


def _between(cell: Cell, robot: Robot, frame: str | None, base: str | None) -> Robot:
    """The same axes between other frames; the kinematics refuses frames that its axes do not move apart."""
    import msgspec

    return msgspec.structs.replace(
        robot, tip=find_frame(cell, frame or robot.tip), base=find_frame(cell, base or robot.base)
    )


def _solve(cell: Cell, robot: Robot, target: Pose, reference: tuple[float, ...] | None) -> InverseResult:
    from telecell.kinematics import InverseSolver
    from telecell.kinematics.posture import Posture, build_chain

    start = dict(zip((axis.name for axis in cell.axes), cell.start, strict=True))
    near = reference or tuple(start[name] for name in robot.axis_names)
    return InverseSolver(build_chain(robot, Posture(cell))).solve(target, reference=near)


def _build_document(robot: Robot, target: Pose, result: InverseResult) -> dict[str, Any]:
    unit = get_unit_suffix(robot.axes)
    return {
        "robot": robot.name,
        "frame": robot.tip,
        "base": robot.base,
        "axes": robot.axis_names,
        "target": build_pose_document(target),
        "method": result.method,
        "reachable": result.reachable,
        "reason": result.reason,
        "solutions": [
            {
                "branch": solution.branch,
                f"joints_{unit}": solution.joints,
                "inside_limits": solution.inside_limits,
                "outside": solution.outside,
                f"margins_{unit}": solution.limit_margins,
            }
            for solution in result.solutions
        ],
    }


def _print_solutions(robot: Robot, result: InverseResult) -> None:
    groups = _group_turns(robot, result.solutions)
    branch = list(result.solutions[0].branch) if result.solutions else []
    joints = [f"{axis.title}\n{get_written_unit(axis)}" for axis in robot.axes]
    print_table(
        f"{robot.name}: {robot.tip} in {robot.base}, {result.method}",
        ("#", *branch, *joints, "turns", "margin", "limits"),
        (
            (
                number,
                *nearest.branch.values(),
                *_format_joints(robot, nearest),
                1 + len(others),
                *_format_limits(robot, nearest),
            )
            for number, (nearest, *others) in enumerate(groups, start=1)
        ),
    )


def _group_turns(robot: Robot, solutions: tuple[Solution, ...]) -> list[list[Solution]]:
    """Solutions that differ by whole turns only, together: a wrist of two turns would fill pages otherwise."""
    groups: dict[tuple[object, ...], list[Solution]] = {}
    for solution in solutions:
        pairs = zip(robot.axes, solution.joints, strict=True)
        place = tuple((round(cos(v), 6), round(sin(v), 6)) if axis.kind == "hinge" else v for axis, v in pairs)
        groups.setdefault(place, []).append(solution)
    return list(groups.values())


def _format_joints(robot: Robot, solution: Solution) -> list[str]:
    return [
        format_value(axis, value, 2 if axis.kind == "hinge" else 4)
        for axis, value in zip(robot.axes, solution.joints, strict=True)
    ]


def _format_limits(robot: Robot, solution: Solution) -> tuple[str, str]:
    """The smallest margin of the hinges and of the slides, and which axes are outside."""
    margins = list(zip(robot.axes, solution.limit_margins, strict=True))
    hinges = [margin for axis, margin in margins if axis.kind == "hinge"]
    slides = [margin for axis, margin in margins if axis.kind == "slide"]
    texts = [f"{degrees(min(hinges)):z.2f} deg"] if hinges else []
    texts += [f"{min(slides):z.4f} m"] if slides else []
    titles = {axis.name: axis.title for axis in robot.axes}
    verdict = "inside" if solution.inside_limits else f"outside: {', '.join(titles[name] for name in solution.outside)}"
    return " / ".join(texts), verdict
