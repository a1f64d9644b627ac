"""Our own plants keep the contract, and the checks find the drivers that do not."""

from dataclasses import replace

import numpy as np
import pytest

from telecell.contract import Command, Drive, Measurement
from telecell.errors import PlantLost
from telecell.models import Cell, load_cell
from telecell.plant import FakePlant
from telecell.plant.conformance import CHECKS, check_plant, format_results, main
from telecell.plant.drivers import load_driver

CELLS = {name: load_cell(name) for name in ("puma", "cirsse")}


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("driver", ["physics", "fake"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_our_own_plants_keep_every_promise(check, driver: str, cell: Cell):
    factory = load_driver(driver)
    check.run(lambda: factory(cell, seed=0))


class Drifting(FakePlant):
    def step(self, command: Command) -> Measurement:
        return super().step(replace(command, q_desired=command.q_desired + 0.02))


class Brakeless(FakePlant):
    """Goes on following its set-points without power."""

    def step(self, command: Command) -> Measurement:
        complete = self._validator.validate(command)
        moved = super().step(replace(complete, drives=np.ones_like(complete.drives)))
        self._measured = replace(moved, powered=complete.drives != Drive.OFF)
        return self._measured


class AlwaysOn(FakePlant):
    def measure(self) -> Measurement:
        return replace(super().measure(), powered=np.ones(len(self.cell.axes), dtype=bool))

    def step(self, command: Command) -> Measurement:
        super().step(command)
        return self.measure()


class Trusting(FakePlant):
    """Does not look at its commands."""

    def _accept(self, command: Command):
        return command, command.drives


class Forgetful(FakePlant):
    def restore(self, snapshot: bytes) -> None:
        pass


class Dreaming(FakePlant):
    counter = 0

    def step(self, command: Command) -> Measurement:
        Dreaming.counter += 1
        self._measured = replace(super().step(command), torque=np.full(len(self.cell.axes), float(Dreaming.counter)))
        return self._measured


class Transposed(FakePlant):
    def measure(self) -> Measurement:
        return replace(super().measure(), wrenches=np.zeros((6, 1)))


class Hasty(FakePlant):
    def step(self, command: Command) -> Measurement:
        super().step(command)
        return super().step(command)


class Unclosable(FakePlant):
    open = True

    def close(self) -> None:
        if not self.open:
            raise PlantLost("closed already", where="line 1")
        self.open = False


class Boastful(FakePlant):
    """Says that it cannot be saved, and saves."""

    snapshots = False


@pytest.mark.parametrize(
    ("kind", "failed"),
    [
        (FakePlant, set()),
        (Drifting, {"holds", "follows", "free", "power returns", "refusals"}),
        (Brakeless, {"off brakes", "free"}),
        (AlwaysOn, {"comes up off", "off brakes"}),
        (Trusting, {"refusals", "short commands"}),
        (Forgetful, {"snapshots"}),
        (Dreaming, {"snapshots", "determinism"}),
        (Transposed, {"arrays"}),
        (Hasty, {"ticks"}),
        (Unclosable, {"close"}),
        (Boastful, {"snapshots"}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_broken_driver_fails_the_right_checks(kind: type[FakePlant], failed: set[str]):
    results = check_plant(lambda: kind(CELLS["puma"]))
    assert {result.check.name for result in results if not result.passed} == failed


def test_a_failure_names_axis_distance_and_limit():
    results = {result.check.name: result.reason for result in check_plant(lambda: Drifting(CELLS["puma"]))}
    assert results["holds"] == ("after a second of holding: axis puma/wrist_bend is 0.0200 rad off, limit 0.005")


def test_a_driver_that_throws_anything_fails_with_its_words():
    class Rude(FakePlant):
        def start(self) -> None:
            raise ZeroDivisionError("oops")

    assert {result.reason for result in check_plant(lambda: Rude(CELLS["puma"]))} >= {"ZeroDivisionError: oops"}


def test_the_command_prints_a_table_and_counts_failures(capsys: pytest.CaptureFixture[str]):
    assert main("fake", "puma") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CHECKS)
    assert all(line.startswith("ok ") for line in lines)
    assert "FAILED" in format_results(check_plant(lambda: Forgetful(CELLS["puma"])))


def test_every_drive_is_tried():
    tried: set[int] = set()

    class Watched(FakePlant):
        def step(self, command: Command) -> Measurement:
            tried.update(command.drives.tolist())
            return super().step(command)

    check_plant(lambda: Watched(CELLS["puma"]))
    assert tried >= set(Drive)
