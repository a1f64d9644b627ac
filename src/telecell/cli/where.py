"""`telecell where`: where a robot of a running cell is."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING, Annotated, Any

import typer

from telecell.cli.fk import build_pose_document, build_pose_rows
from telecell.cli.output import JsonFlag, get_unit_suffix, print_json, print_table
from telecell.cli.running import CellOption, ConnectOption, SiteOption, list_axes, open_running
from telecell.cli.written import get_unit, write_value

if TYPE_CHECKING:
    from telecell.client import Location
    from telecell.geometry import Pose
    from telecell.messages.replies import AxisEntry

EXAMPLES = ("telecell where puma", "telecell where FL --cell cirsse --json")

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="A robot of the cell, such as puma.")]


def run(
    robot: RobotArgument,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Where a robot is: its joints, its tool and its frames, by its encoders."""
    with open_running(cell, site, connect) as running:
        axes = list_axes(running, robot)
        location = running.manipulator(robot).where()
    if as_json:
        frames = [{"name": name, **build_pose_document(pose)} for name, pose in location.frames.items()]
        print_json({**build_location_document(location, axes), "frames": frames})
    else:
        _print_location(location, axes)


def build_location_document(location: Location, axes: list[AxisEntry]) -> dict[str, Any]:
    """Where a robot is, for programs."""
    unit = get_unit_suffix(axes)
    return {
        "robot": location.robot,
        "tick": location.tick,
        "axes": location.axes,
        f"joints_{unit}": location.joints,
        f"joints_desired_{unit}": location.joints_desired,
        "tool": build_pose_document(location.pose()),
    }


def _print_location(location: Location, axes: list[AxisEntry]) -> None:
    joints = zip(axes, location.joints, location.joints_desired, strict=True)
    print_table(
        f"{location.robot}: joints",
        ("axis", "measured", "desired", "unit"),
        (
            (axis.title, write_value(axis, measured), write_value(axis, desired), get_unit(axis))
            for axis, measured, desired in joints
        ),
    )
    print_table(f"{location.robot}: tool in its base", ("", ""), build_pose_rows(location.pose()))
    print_table(
        f"{location.robot}: frames in its base",
        ("frame", "x y z, mm", "O A T (VAL), deg"),
        ((name, *write_pose(pose)) for name, pose in location.frames.items()),
    )


def write_pose(pose: Pose) -> tuple[str, str]:
    """Position in millimetres and orientation as O, A and T in degrees."""
    document = build_pose_document(pose)
    position = "  ".join(f"{1000 * metres:z9.2f}" for metres in document["xyz_m"])
    return position, "  ".join(f"{degrees(angle):z8.2f}" for angle in document["oat_rad"])
