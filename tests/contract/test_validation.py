"""A command is complete, finite and of the cell's sizes before anything moves."""

from dataclasses import replace

import numpy as np
import pytest

from telecell.contract import Command, CommandValidator, Drive
from telecell.errors import InputError, JointOutOfRange
from telecell.models import Cell, load_cell


@pytest.fixture(scope="module")
def cell() -> Cell:
    return load_cell("puma")


@pytest.fixture(scope="module")
def usual(cell: Cell) -> Command:
    return Command.holding(cell)


def test_what_is_left_out_is_filled_in(cell: Cell, usual: Command):
    command = CommandValidator(cell).validate(Command(usual.q_desired, usual.v_desired, usual.openings))
    assert command.drives.tolist() == [Drive.SERVO] * 6
    assert command.torque_feedforward.tolist() == [0.0] * 6
    assert command.grip_forces.tolist() == [tool.force for tool in cell.tools]
    assert command.outputs.tolist() == [signal.normal for signal in cell.outputs]


def test_a_complete_command_passes_as_it_is(cell: Cell, usual: Command):
    assert CommandValidator(cell).validate(usual) is usual


def spoil(values: np.ndarray, index: int, value: float) -> np.ndarray:
    spoiled = values.copy()
    spoiled[index] = value
    return spoiled


def refusal(cell: Cell, command: Command) -> str:
    with pytest.raises((JointOutOfRange, InputError)) as caught:
        CommandValidator(cell).validate(command)
    return f"{type(caught.value).__name__}: {caught.value}"


def test_a_refusal_names_field_axis_value_and_limit(cell: Cell, usual: Command):
    assert refusal(cell, replace(usual, q_desired=spoil(usual.q_desired, 2, np.nan))) == (
        "JointOutOfRange: cell puma, q_desired of puma/elbow: command out of range or not finite, got nan, "
        "limit -1.79769e+308 to 1.79769e+308"
    )
    assert refusal(cell, replace(usual, v_desired=np.zeros(5))) == (
        "JointOutOfRange: cell puma, v_desired: a command of another shape, got (5,), limit (6,)"
    )
    assert refusal(cell, replace(usual, openings=np.array([1.5]))) == (
        "InputError: cell puma, openings of jaw/fingers: command out of range or not finite, got 1.5, limit 0 to 1"
    )


@pytest.mark.parametrize("field", ["q_desired", "v_desired", "torque_feedforward", "openings", "grip_forces"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nothing_that_is_not_finite_passes(cell: Cell, usual: Command, field: str, value: float):
    assert f"{field} of " in refusal(cell, replace(usual, **{field: spoil(getattr(usual, field), -1, value)}))


@pytest.mark.parametrize("field", list(Command.__dataclass_fields__))
def test_no_array_of_another_length_passes(cell: Cell, usual: Command, field: str):
    values = getattr(usual, field)
    assert f"cell puma, {field}: " in refusal(cell, replace(usual, **{field: np.append(values, values[:1])}))


def test_unknown_drives_are_refused(cell: Cell, usual: Command):
    for drive in (-1, 3):
        drives = np.full(6, drive, np.int8)
        assert refusal(cell, replace(usual, drives=drives)).endswith(f"got {drive:.1f}, limit 0 to 2")


def test_a_tool_is_not_asked_for_more_force_than_it_has(cell: Cell, usual: Command):
    force = cell.tools[0].force
    assert refusal(cell, replace(usual, grip_forces=np.array([2 * force]))).endswith(f"limit 0 to {force:g}")
    CommandValidator(cell).validate(replace(usual, grip_forces=np.zeros(1)))


def test_the_largest_numbers_are_numbers(cell: Cell, usual: Command):
    CommandValidator(cell).validate(replace(usual, q_desired=np.full(6, 1e308)))
