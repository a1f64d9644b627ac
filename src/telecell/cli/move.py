"""`telecell move`: move a robot of a running cell, and wait until it has arrived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import radians
from typing import TYPE_CHECKING, Annotated

import typer

from telecell.cli.interruption import Interruption
from telecell.cli.output import JsonFlag, print_json
from telecell.cli.progress import MotionProgress
from telecell.cli.running import (
    CellOption,
    ConnectOption,
    NameOption,
    SiteOption,
    WaitOption,
    get_user_name,
    list_axes,
    open_running,
)
from telecell.cli.selection import parse_numbers
from telecell.cli.where import RobotArgument, build_location_document, write_pose
from telecell.cli.written import parse_joint_values, write_joint_values
from telecell.errors import MotionError, MotionStopped, NoArmPower, NotHolder

if TYPE_CHECKING:
    from telecell.client import CellClient, Manipulator, Segment
    from telecell.messages.replies import AxisEntry

EXAMPLES = (
    'telecell move puma --joints "0 -90 90 0 0 0" --power',
    'telecell move puma --by "10 0 0 0 0 0" --speed 0.3',
    "telecell move puma --pose ready --as alice --wait 30",
    'telecell move puma --line "400 150 300" --tip-speed 100',
)

LOOK_EVERY_S = 0.1

WAYS_OUT: dict[type[MotionError], str] = {
    NoArmPower: "Add --power to switch them on.",
    MotionStopped: "Remove the cause, then add --reset.",
    NotHolder: "Queue for control with --wait SECONDS.",
}
"""What a person at the shell can do about a refusal."""

Start = Callable[..., "Segment"]


def run(
    robot: RobotArgument,
    joints: Annotated[
        str | None, typer.Option(metavar='"J1 J2 ..."', help="To joint values: degrees, millimetres for slides.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar='"J1 J2 ..."', help="By joint increments: degrees, millimetres for slides.")
    ] = None,
    pose: Annotated[str | None, typer.Option(metavar="NAME", help="To a named pose.")] = None,
    home: Annotated[bool, typer.Option("--home", help="To where it stands when the cell comes up.")] = False,
    line: Annotated[
        str | None,
        typer.Option(
            metavar='"X Y Z [O A T]"',
            help="The tool on a straight line, in the robot's base: millimetres, and VAL's angles in degrees; "
            "as it is turned now without them.",
        ),
    ] = None,
    speed: Annotated[float, typer.Option(help="Share of the axes' speed limits, above 0, at most 1.")] = 1.0,
    tip_speed: Annotated[
        float | None, typer.Option(metavar="MM_S", help="How fast its tip may move, mm/s; 250 by default.")
    ] = None,
    power: Annotated[bool, typer.Option("--power", help="Switch its drives on first.")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Reset it first, if it was stopped.")] = False,
    name: NameOption = None,
    wait: WaitOption = 0.0,
    cell: CellOption = None,
    site: SiteOption = None,
    connect: ConnectOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Move a robot of a running cell, and wait until it has arrived.

    Takes control of the robot and gives it back. Ctrl-C halts it on its path.
    The exit code is 1, with the reason, when the motion is refused or stopped, and 130 after Ctrl-C.
    """
    targets = {"--joints": joints, "--by": by, "--pose": pose, "--home": home or None, "--line": line}
    if sum(target is not None for target in targets.values()) != 1:
        raise typer.BadParameter("say where to, in one of these ways", param_hint=" / ".join(targets))
    with open_running(cell, site, connect) as running, _showing_the_way_out():
        arm, axes = running.manipulator(robot), list_axes(running, robot)
        start = _choose_motion(arm, axes, joints=joints, by=by, pose=pose, line=line)
        with arm.control(name or get_user_name(), wait_s=wait):
            _prepare(arm, reset=reset, power=power, tip_speed_mm_s=tip_speed)
            outcome = _follow(running, arm, partial(start, speed=speed), quiet=as_json)
        _report(arm, axes, outcome, as_json)
    if outcome == "halted":
        raise KeyboardInterrupt  # what Ctrl-C is for whoever started the command


@contextmanager
def _showing_the_way_out() -> Iterator[None]:
    """Let refusals name the option that helps."""
    try:
        yield
    except tuple(WAYS_OUT) as error:
        remedy = next(text for kind, text in WAYS_OUT.items() if isinstance(error, kind))
        fields = {"where": error.where, "value": error.value, "limit": error.limit, "choices": error.choices}
        raise type(error)(error.what, **fields, remedy=remedy) from None


def _choose_motion(
    arm: Manipulator, axes: list[AxisEntry], *, joints: str | None, by: str | None, pose: str | None, line: str | None
) -> Start:
    """What begins the motion that was asked for; bad usage is found before anything is touched."""
    if joints is not None:
        return partial(arm.move_joints, parse_joint_values(joints, axes, "--joints"))
    if by is not None:
        return partial(arm.move_joints_by, parse_joint_values(by, axes, "--by"))
    if pose is not None:
        return partial(arm.move_to, pose)
    if line is not None:
        return partial(_move_line, arm, _parse_line(line))
    return arm.home


def _parse_line(text: str) -> list[float]:
    numbers = parse_numbers(text, "--line")
    if len(numbers) not in (3, 6):
        raise typer.BadParameter(
            f"X Y Z or X Y Z O A T in one quoted argument, got {len(numbers)} numbers", param_hint="--line"
        )
    return numbers


def _move_line(arm: Manipulator, numbers: list[float], *, speed: float) -> Segment:
    from telecell.geometry import Pose, rotation_from_oat

    position = [millimetres / 1000 for millimetres in numbers[:3]]
    angles = [radians(degrees) for degrees in numbers[3:]]
    rotation = rotation_from_oat(angles) if angles else arm.where().pose().rotation
    return arm.move_line(Pose(rotation, position), speed=speed)


def _prepare(arm: Manipulator, *, reset: bool, power: bool, tip_speed_mm_s: float | None) -> None:
    if reset:
        arm.reset()
    if power:
        arm.power(True)
    if tip_speed_mm_s is not None:
        arm.set_tip_speed(tip_speed_mm_s / 1000)


def _follow(running: CellClient, arm: Manipulator, start: Callable[[], Segment], *, quiet: bool) -> str:
    """Begin the motion and stay with it to its end, or to Ctrl-C, which halts it; how it ended."""
    with Interruption() as interruption:
        segment = start()
        begun_s = running.time_s
        with MotionProgress(arm.name, segment.ends_in_s, quiet=quiet) as progress:
            while not segment.done and not interruption.wanted:
                running.run(LOOK_EVERY_S)
                progress.show(running.time_s - begun_s)
    if not segment.done:
        arm.halt()
        return "halted"
    segment.wait()
    return "arrived"


def _report(arm: Manipulator, axes: list[AxisEntry], outcome: str, as_json: bool) -> None:
    location = arm.where()
    if as_json:
        print_json({"outcome": outcome, **build_location_document(location, axes)})
        return
    position, oat = write_pose(location.pose())
    print(f"{arm.name} {outcome} at {write_joint_values(axes, location.joints)}")
    print(f"tool at {' '.join(position.split())} mm, O A T {' '.join(oat.split())} deg")
