"""`telecell show`: everything about one cell or model."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians
from typing import TYPE_CHECKING, Annotated, Any

import typer

from telecell.cli.output import JsonFlag, format_value, get_unit_suffix, get_written_unit, print_json, print_table
from telecell.cli.selection import is_model, load

if TYPE_CHECKING:
    from telecell.models import Axis, Cell, Robot

EXAMPLES = ("telecell show cirsse", "telecell show puma560 --json", "telecell show ./my_cell")


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A cell, a model, or the path of a cell file or folder.")],
    as_json: JsonFlag = False,
) -> None:
    """Show what is in a cell or model.

    Axes with their limits, robots, named poses, frames, tools, sensors, signals and cameras.
    """
    cell = load(name)
    if as_json:
        print_json(build_document(cell))
    else:
        _print_tables(cell)


def build_document(cell: Cell) -> dict[str, Any]:
    """A cell as plain values for JSON."""
    return {
        "name": cell.name,
        "kind": "model" if is_model(cell) else "cell",
        "title": cell.title,
        "description": cell.description,
        "path": str(cell.path),
        "mounts": [{"name": m.name, "model": m.model.name, "on": m.on} for m in cell.mounts],
        "axes": [_axis_document(axis) for axis in cell.axes],
        "robots": [_robot_document(robot) for robot in cell.robots],
        "poses": [
            {"name": name, "axes": list(values), "joints_rad_m": list(values.values())}
            for name, values in cell.poses.items()
        ],
        "frames": [{"name": frame.name, "title": frame.title} for frame in cell.frames],
        "tools": [
            {"name": tool.name, "drive": tool.drive, "tip": tool.tip, "joints": tool.joints, "force_N": tool.force}
            for tool in cell.tools
        ],
        "force_sensors": [
            {"name": s.name, "frame": s.frame, "max_force_N": s.max_force, "max_torque_Nm": s.max_torque}
            for s in cell.force_sensors
        ],
        "beams": [{"name": beam.name, "start": beam.start, "end": beam.end} for beam in cell.beams],
        "signals": [
            {"name": s.name, "title": s.title, "direction": s.direction, "normal": s.normal, "role": s.role}
            for s in cell.signals
        ],
        "parts": cell.parts,
        "cameras": [{"name": name, "fovy_rad": radians(fovy)} for name, fovy in _list_cameras(cell)],
    }


def _list_cameras(cell: Cell) -> list[tuple[str, float]]:
    """Name and field of view, degrees, of the cell's cameras and of those that its models bring along."""
    from telecell.models import compile_world

    world = compile_world(cell)
    return [(world.camera(i).name, float(world.cam_fovy[i])) for i in range(world.ncam)]


def _axis_document(axis: Axis) -> dict[str, Any]:
    unit = axis.unit
    effort = "max_torque_Nm" if axis.kind == "hinge" else "max_force_N"
    return {
        "name": axis.name,
        "title": axis.title,
        "labels": axis.labels,
        "kind": axis.kind,
        f"hardware_limits_{unit}": axis.hardware_limits,
        f"software_limits_{unit}": axis.software_limits,
        f"max_velocity_{unit}_s": axis.max_velocity,
        f"max_acceleration_{unit}_s2": axis.max_acceleration,
        f"max_jerk_{unit}_s3": axis.max_jerk,
        effort: axis.max_torque,
    }


def _robot_document(robot: Robot) -> dict[str, Any]:
    key = f"joints_{get_unit_suffix(robot.axes)}"
    return {
        "name": robot.name,
        "title": robot.title,
        "axes": robot.axis_names,
        "base": robot.base,
        "tip": robot.tip,
        "tool": robot.tool,
        "poses": [{"name": name, key: values} for name, values in robot.poses.items()],
    }


def _print_tables(cell: Cell) -> None:
    print(f"{cell.name}: {cell.title}")
    if cell.description:
        print(cell.description)
    print(f"{cell.path}\n")
    print_table(
        "Axes",
        ("name", "title", "labels", "kind", "hardware limits", "software limits", "speed", "effort"),
        (_axis_row(axis) for axis in cell.axes),
    )
    print_table(
        "Robots",
        ("name", "title", "axes", "base", "tip", "tool", "poses"),
        (
            (r.name, r.title, len(r.axes), r.base, r.tip, r.tool or "", ", ".join(r.poses) or "none")
            for r in cell.robots
        ),
    )
    print_table("Named poses (deg, m)", ("robot", "pose", "joints"), _pose_rows(cell))
    print_table("Frames", ("name", "what it is"), ((frame.name, frame.title) for frame in cell.frames))
    print_table(
        "Tools",
        ("name", "drive", "tip", "joints", "force"),
        ((t.name, t.drive, t.tip, len(t.joints), f"{t.force:g} N") for t in cell.tools),
    )
    print_table("Sensors", ("name", "kind", "where", "range"), _sensor_rows(cell))
    print_table(
        "Signals",
        ("name", "title", "direction", "normal", "role"),
        ((s.name, s.title, s.direction, "on" if s.normal else "off", s.role or "") for s in cell.signals),
    )
    print_table("Cameras", ("name", "field of view"), ((name, f"{fovy:g} deg") for name, fovy in _list_cameras(cell)))
    if cell.parts:
        print(f"Parts: {', '.join(cell.parts)}")


def _axis_row(axis: Axis) -> tuple[str, ...]:
    def limits(pair: tuple[float, float]) -> str:
        low, high = (format_value(axis, value) for value in pair)
        return f"{low} to {high} {get_written_unit(axis)}"

    return (
        axis.name,
        axis.title,
        " ".join(axis.labels),
        axis.kind,
        limits(axis.hardware_limits),
        limits(axis.software_limits),
        f"{format_value(axis, axis.max_velocity)} {get_written_unit(axis)}/s",
        "chosen by plant"
        if axis.max_torque is None
        else f"{axis.max_torque:g} {'N·m' if axis.kind == 'hinge' else 'N'}",
    )


def _pose_rows(cell: Cell) -> Iterator[tuple[str, ...]]:
    for robot in cell.robots:
        for name, values in robot.poses.items():
            joints = (format_value(axis, v) for axis, v in zip(robot.axes, values, strict=True))
            yield robot.name, name, "  ".join(joints)


def _sensor_rows(cell: Cell) -> Iterator[tuple[str, ...]]:
    for sensor in cell.force_sensors:
        yield sensor.name, "force", sensor.frame, f"{sensor.max_force:g} N, {sensor.max_torque:g} N·m"
    for beam in cell.beams:
        yield beam.name, "light beam", f"{beam.start} to {beam.end}", ""
