"""docs/drivers.md says what is so: its example runs and keeps the contract."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from telecell.contract import Command, Drive, Measurement, Plant, started
from telecell.errors import PlantLost, SnapshotsUnsupported
from telecell.models import Cell, load_cell
from telecell.plant.conformance import CHECKS, check_plant
from telecell.plant.drivers import GROUP

PAGE = (Path(__file__).parents[2] / "docs" / "drivers.md").read_text()


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    return names


@pytest.fixture(scope="module")
def cell() -> Cell:
    return load_cell("puma")


def test_the_example_keeps_the_contract(example: dict[str, Any], cell: Cell):
    results = check_plant(lambda: example["VendorDriver"](cell, seed=0))
    assert [result.reason for result in results if not result.passed] == []


def test_the_example_says_when_it_lost_its_arm(example: dict[str, Any], cell: Cell):
    with started(example["VendorDriver"](cell, address="192.0.2.7")) as plant:
        plant._arm.connected = False
        with pytest.raises(PlantLost) as caught:
            plant.step(Command.holding(cell))
    assert str(caught.value) == "cell puma, arm at 192.0.2.7: no answer. Check cable and power."


def test_the_example_cannot_be_saved(example: dict[str, Any], cell: Cell):
    with pytest.raises(SnapshotsUnsupported, match="cannot be saved"):
        example["VendorDriver"](cell).save()


def test_every_member_and_field_is_on_the_page():
    methods = {name for name in vars(Plant) if not name.startswith("_")}
    assert methods | set(Plant.__annotations__) <= set(re.findall(r"`(\w+)(?:\(\w*\))?`", PAGE))
    for kind in (Command, Measurement):
        assert set(kind.__dataclass_fields__) <= set(re.findall(r"`(\w+)`", PAGE))
    assert [drive.name for drive in Drive] == re.findall(r"^\| `([A-Z]+)` \|", PAGE, re.MULTILINE)


def test_the_table_of_checks_is_that_of_the_code():
    table = re.search(r"<!-- checks -->\n.*?\n.*?\n(.*?)<!-- end of checks -->", PAGE, re.DOTALL)
    assert table
    assert table[1] == "".join(f"| {check.name} | {check.text} |\n" for check in CHECKS)


def test_the_page_names_the_entry_point_group():
    assert f'[project.entry-points."{GROUP}"]' in PAGE


def test_a_resting_measurement_is_finite_and_without_power(cell: Cell):
    measured = Measurement.resting(cell, np.array(cell.start))
    assert Measurement.from_bytes(measured.to_bytes(), like=measured).to_bytes() == measured.to_bytes()
    assert not measured.powered.any()
