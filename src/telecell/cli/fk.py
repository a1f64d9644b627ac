"""`telecell fk`: where a robot's hand is."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING, Annotated, Any

import typer

from telecell.cli.output import JsonFlag, format_value, get_unit_suffix, get_written_unit, print_json, print_table, tell
from telecell.cli.selection import find_frame, parse_joints, select_robot

if TYPE_CHECKING:
    from telecell.geometry import Pose
    from telecell.models import Axis

EXAMPLES = (
    'telecell fk puma560 --joints-deg "0 -90 90 0 0 0"',
    "telecell fk puma560 --pose ready --frame flange --base mount",
    "telecell fk cirsse/FL --pose ready --json",
)

ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="A robot model (puma560), a robot of a cell (cirsse/FL), or PATH:ROBOT of your own cell."
    ),
]
FrameOption = Annotated[str | None, typer.Option(help="Frame whose pose is meant; the robot's tip by default.")]
BaseOption = Annotated[str | None, typer.Option(help="Frame in which it is stated; the robot's base by default.")]


def run(
    model: ModelArgument,
    joints_deg: Annotated[
        str | None,
        typer.Option(metavar='"J1 J2 ..."', help="One quoted argument: degrees for hinges, metres for slides."),
    ] = None,
    pose: Annotated[str | None, typer.Option(help="A named pose instead of joint values.")] = None,
    frame: FrameOption = None,
    base: BaseOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Forward kinematics: where the tip is for given joints."""
    if (joints_deg is None) == (pose is None):
        raise typer.BadParameter("give either joint values or a named pose", param_hint="--joints-deg / --pose")
    from telecell.kinematics.posture import Posture, build_chain

    cell, robot = select_robot(model)
    joints = robot.get_pose(pose) if pose else parse_joints(joints_deg or "", robot, "--joints-deg")
    frame = find_frame(cell, frame or robot.tip)
    base = find_frame(cell, base or robot.base)
    result = build_chain(robot, Posture(cell)).forward(joints, frame=frame, base=base)
    outside = {axis: value for axis, value in zip(robot.axes, joints, strict=True) if axis.clamp(value) != value}
    if as_json:
        print_json(
            {
                "robot": robot.name,
                "frame": frame,
                "base": base,
                "axes": robot.axis_names,
                f"joints_{get_unit_suffix(robot.axes)}": joints,
                "inside_limits": not outside,
                "outside": [axis.name for axis in outside],
                **build_pose_document(result),
            }
        )
        return
    print_table(f"{robot.name}: {frame} in {base}", ("", ""), build_pose_rows(result))
    if outside:
        tell(f"note: outside the software limits: {', '.join(map(_describe, outside, outside.values()))}")


def build_pose_document(pose: Pose) -> dict[str, Any]:
    """A pose in every form that people use."""
    from telecell.geometry import oat_from_rotation

    return {
        "xyz_m": pose.position.tolist(),
        "rpy_rad": pose.rpy().tolist(),
        "quaternion_wxyz": pose.quaternion().tolist(),
        "oat_rad": oat_from_rotation(pose.rotation).tolist(),
        "matrix": pose.as_matrix().tolist(),
    }


def build_pose_rows(pose: Pose) -> list[tuple[str, str]]:
    """The same for people: millimetres and degrees."""
    document = build_pose_document(pose)

    def line(numbers: list[float], decimals: int) -> str:
        return "  ".join(f"{number:z{decimals + 6}.{decimals}f}" for number in numbers)

    rows = [
        ("x y z, mm", line([1000 * metres for metres in document["xyz_m"]], 3)),
        ("roll pitch yaw, deg", line([degrees(angle) for angle in document["rpy_rad"]], 3)),
        ("quaternion w x y z", line(document["quaternion_wxyz"], 6)),
        ("O A T (VAL), deg", line([degrees(angle) for angle in document["oat_rad"]], 3)),
    ]
    return rows + [("matrix, m" if i == 0 else "", line(row, 6)) for i, row in enumerate(document["matrix"])]


def _describe(axis: Axis, value: float) -> str:
    excess, unit = abs(value - axis.clamp(value)), get_written_unit(axis)
    return f"{axis.title} at {format_value(axis, value)} by {format_value(axis, excess)} {unit}"
