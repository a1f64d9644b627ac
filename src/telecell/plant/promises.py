"""What any plant must do, tried on a fresh one each time; `conformance` runs them all.

Every axis is moved by a few degrees or a centimetre from where it stands, and tools are opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from telecell.contract.interface import Array, Command, Drive, Measurement, Plant, started
from telecell.errors import SnapshotsUnsupported, TelecellError
from telecell.models import Cell

STROKE = {"hinge": 0.05, "slide": 0.01}
"""How far an axis is moved, rad or m."""
TOLERANCE = {"hinge": 0.005, "slide": 0.001}
"""How far it may be from where it should be, rad or m."""
MOVE_S = 1.0
SETTLE_S = 0.5
POWER_S = 2.0
"""Within this time a drive reports that it has power, or has none."""

MakePlant = Callable[[], Plant]


class ConformanceFailure(AssertionError):  # noqa: N818 - reads as the fact it states
    """A plant does not keep the contract."""


def _require(kept: bool | np.bool_, reason: str) -> None:
    if not kept:
        raise ConformanceFailure(reason)


# Moving a plant


def _run(plant: Plant, command: Command, seconds: float) -> Measurement:
    measured = plant.measure()
    for _ in range(round(seconds / plant.period_s)):
        measured = plant.step(command)
    return measured


def _power_on(plant: Plant) -> Array:
    """Servo every axis where it stands; returns where."""
    q_measured = plant.measure().q_measured.copy()
    command = Command.holding(plant.cell, q_measured)
    _wait_for_power(plant, command, True)
    return q_measured


def _wait_for_power(plant: Plant, command: Command, wanted: bool) -> None:
    for _ in range(round(POWER_S / plant.period_s)):
        if (plant.step(command).powered == wanted).all():
            return
    state = "report power" if wanted else "go without power"
    raise ConformanceFailure(f"not every drive came to {state} within {POWER_S:g} s of its command")


def _find_goal(cell: Cell, q_start: Array) -> Array:
    """Every axis one stroke from where it stands, away from the nearer limit."""
    middle = np.array([sum(axis.software_limits) / 2 for axis in cell.axes])
    return q_start + np.where(q_start > middle, -1, 1) * _spread(STROKE, cell)


def _sweep(plant: Plant, q_start: Array, q_goal: Array, share: float = 1.0) -> Measurement:
    """Move smoothly from start to goal, or a share of the way."""
    ticks = round(MOVE_S / plant.period_s)
    measured = plant.measure()
    for tick in range(1, round(share * ticks) + 1):
        phase = np.pi * tick / ticks
        q = q_start + (q_goal - q_start) * (1 - np.cos(phase)) / 2
        v = (q_goal - q_start) * np.pi * np.sin(phase) / (2 * MOVE_S)
        measured = plant.step(replace(Command.holding(plant.cell, q), v_desired=v))
    return measured


def _spread(values: dict[str, float], cell: Cell) -> Array:
    return np.array([values[axis.kind] for axis in cell.axes])


def _require_near(plant: Plant, q_expected: Array, what: str) -> None:
    errors = np.abs(plant.measure().q_measured - q_expected)
    excess = errors / _spread(TOLERANCE, plant.cell)
    if (excess > 1).any():
        worst = int(np.argmax(excess))
        axis = plant.cell.axes[worst]
        raise ConformanceFailure(
            f"{what}: axis {axis.name} is {errors[worst]:.4f} {axis.unit} off, limit {TOLERANCE[axis.kind]:g}"
        )


# The checks


def check_arrays(make: MakePlant) -> None:
    """Order, size, type and finite values of everything that is measured."""
    with started(make()) as plant:
        cell = plant.cell
        shapes = {
            "q_measured": (len(cell.axes),),
            "v_measured": (len(cell.axes),),
            "torque": (len(cell.axes),),
            "powered": (len(cell.axes),),
            "openings": (len(cell.tools),),
            "beams": (len(cell.beams),),
            "inputs": (len(cell.inputs),),
            "wrenches": (len(cell.force_sensors), 6),
            "parts": (len(cell.parts), 7),
        }
        for measured in (plant.measure(), plant.step(Command.holding(cell, drive=Drive.OFF))):
            for name, shape in shapes.items():
                values = getattr(measured, name)
                kind = bool if name in ("powered", "beams", "inputs") else float
                _require(values.shape == shape, f"{name} has shape {values.shape}, the cell needs {shape}")
                _require(values.dtype == kind, f"{name} is of type {values.dtype}, not {kind.__name__}")
                _require(np.isfinite(values).all(), f"{name} is not finite: {values.tolist()}")


def check_ticks(make: MakePlant) -> None:
    """A step is one tick."""
    with started(make()) as plant:
        command = Command.holding(plant.cell, plant.measure().q_measured)
        for _ in range(5):
            before = plant.measure().tick
            _require(plant.measure().tick == before, "measuring advances the tick")
            after = plant.step(command).tick
            _require(after == before + 1, f"a step goes from tick {before} to {after}")
            _require(plant.measure().tick == after, "measure does not give the last reading")


def check_comes_up_off(make: MakePlant) -> None:
    """No power before it is commanded."""
    with started(make()) as plant:
        _require(not plant.measure().powered.any(), "drives have power before they are commanded on")


def check_holds(make: MakePlant) -> None:
    """A constant set-point."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        _run(plant, Command.holding(plant.cell, q_start), 1.0)
        _require_near(plant, q_start, "after a second of holding")


def check_follows(make: MakePlant) -> None:
    """A smooth move there and back."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        q_goal = _find_goal(plant.cell, q_start)
        for begin, end in ((q_start, q_goal), (q_goal, q_start)):
            _sweep(plant, begin, end)
            _run(plant, Command.holding(plant.cell, end), SETTLE_S)
            _require_near(plant, end, "after a move of a second")


def check_off_brakes(make: MakePlant) -> None:
    """The brakes fall in the middle of a move."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        q_goal = _find_goal(plant.cell, q_start)
        q_braked = _sweep(plant, q_start, q_goal, share=0.5).q_measured.copy()
        off = Command.holding(plant.cell, q_goal, Drive.OFF)
        _wait_for_power(plant, off, False)
        # The brakes fall in the middle of the stroke, at full speed: the other half is room enough to stop.
        q_stopped = _run(plant, off, SETTLE_S).q_measured.copy()
        _require(
            (np.abs(q_stopped - q_braked) < _spread(STROKE, plant.cell) / 2).all(), "an axis went on without power"
        )
        _run(plant, off, 1.0)
        _require_near(plant, q_stopped, "a second after the brakes fell")


def check_power_returns(make: MakePlant) -> None:
    """Power off in the middle of a move, and on again."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        _sweep(plant, q_start, _find_goal(plant.cell, q_start), share=0.5)
        _run(plant, Command.holding(plant.cell, q_start, Drive.OFF), SETTLE_S)
        q_stopped = _power_on(plant)
        for _ in range(round(SETTLE_S / plant.period_s)):
            plant.step(Command.holding(plant.cell, q_stopped))
            _require_near(plant, q_stopped, "after power came back")


def check_free_ignores_set_points(make: MakePlant) -> None:
    """A freed axis, and servoed again."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        free = Command.holding(plant.cell, _find_goal(plant.cell, q_start), Drive.FREE)
        measured = _run(plant, free, SETTLE_S)
        _require(measured.powered.all(), "a free axis reports no power")
        _require_near(plant, q_start, "free, with a set-point elsewhere and nobody pushing")
        q_freed = _power_on(plant)
        _run(plant, Command.holding(plant.cell, q_freed), SETTLE_S)
        _require_near(plant, q_freed, "servoed again")


def check_outputs(make: MakePlant) -> None:
    """Outputs switched there and back."""
    with started(make()) as plant:
        usual = Command.holding(plant.cell, plant.measure().q_measured)
        for command in (usual, replace(usual, outputs=~usual.outputs), usual):
            plant.step(command)


def check_short_commands(make: MakePlant) -> None:
    """A command with nothing but positions, velocities and openings."""
    with started(make()) as plant:
        q_start = plant.measure().q_measured.copy()
        plant.step(Command(q_start, np.zeros_like(q_start), np.ones(len(plant.cell.tools))))


def check_refusals(make: MakePlant) -> None:
    """Numbers that are not finite, arrays of the wrong length, drives that do not exist."""
    with started(make()) as plant:
        q_start = _power_on(plant)
        for what, wrong in _list_wrong_commands(plant.cell, q_start):
            before = plant.measure().to_bytes()
            try:
                plant.step(wrong)
            except TelecellError:
                _require(plant.measure().to_bytes() == before, f"{what} is refused, but time went on")
            else:
                raise ConformanceFailure(f"{what} is not refused")
        plant.step(Command.holding(plant.cell, q_start))
        _require_near(plant, q_start, "after refused commands")


def _list_wrong_commands(cell: Cell, q_start: Array) -> list[tuple[str, Command]]:
    usual = Command.holding(cell, q_start)
    nowhere = np.full_like(q_start, np.nan)
    return [
        ("a position that is not a number", replace(usual, q_desired=nowhere)),
        ("an infinite position", replace(usual, q_desired=q_start + np.inf)),
        ("a velocity that is not a number", replace(usual, v_desired=nowhere)),
        ("a torque that is not a number", replace(usual, torque_feedforward=nowhere)),
        ("one position too many", replace(usual, q_desired=np.append(q_start, 0.0))),
        ("one velocity too few", replace(usual, v_desired=np.zeros(len(q_start) - 1))),
        ("one opening too many", replace(usual, openings=np.ones(len(cell.tools) + 1))),
        ("one drive too many", replace(usual, drives=np.ones(len(q_start) + 1, np.int8))),
        ("an unknown drive", replace(usual, drives=np.full(len(q_start), 7, np.int8))),
        ("one output too many", replace(usual, outputs=np.zeros(len(cell.outputs) + 1, bool))),
    ]


def check_snapshots(make: MakePlant) -> None:
    """Saved in every state of the drives."""
    with started(make()) as plant:
        if not plant.snapshots:
            _require_unsupported(plant)
            return
        q_goal = _find_goal(plant.cell, plant.measure().q_measured)
        for drive in Drive:
            _run(plant, Command.holding(plant.cell, q_goal, drive), 5 * plant.period_s)
            saved = plant.save()
            first = _record(plant, q_goal)
            plant.restore(saved)
            _require(_record(plant, q_goal) == first, f"a state saved in {drive.name} goes on differently")


def _require_unsupported(plant: Plant) -> None:
    for what, call in (("save", plant.save), ("restore", lambda: plant.restore(b""))):
        try:
            call()
        except SnapshotsUnsupported:
            continue
        raise ConformanceFailure(f"{what} must raise SnapshotsUnsupported where snapshots = False")


def _record(plant: Plant, q_goal: Array) -> list[bytes]:
    """What is measured in each period while the axes are braked, freed and servoed."""
    commands = [Command.holding(plant.cell, q_goal, drive) for drive in (Drive.OFF, Drive.FREE, Drive.SERVO)]
    return [plant.step(command).to_bytes() for command in commands for _ in range(5)]


def check_determinism(make: MakePlant) -> None:
    """Two plants, the same commands."""
    records = []
    for _ in range(2):
        with started(make()) as plant:
            if not plant.deterministic:
                return
            records.append(_record(plant, _find_goal(plant.cell, plant.measure().q_measured)))
    _require(records[0] == records[1], "two plants measure different things after the same commands")


def check_close(make: MakePlant) -> None:
    """Without start, and twice."""
    make().close()
    with started(make()) as plant:
        plant.step(Command.holding(plant.cell, plant.measure().q_measured))
        plant.close()
