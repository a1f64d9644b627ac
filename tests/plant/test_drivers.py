"""Drivers are found by name, and a broken package is named."""

import tomllib
from pathlib import Path

import pytest

from telecell.errors import PlantError, UnknownName
from telecell.models import load_cell
from telecell.plant import FakePlant, PhysicsPlant, drivers
from telecell.plant.drivers import list_drivers, load_driver

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def install(folder: Path, package: str, *registered: str, code: str = "") -> None:
    """What pip leaves behind of a package: its metadata, and a module of the same name."""
    info = folder / f"{package}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[telecell.plants]\n" + "\n".join(registered) + "\n")
    (folder / f"{package}.py").write_text(code)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_our_own_are_always_there():
    assert {"physics", "fake"} <= set(list_drivers())
    assert load_driver("physics") is PhysicsPlant
    assert load_driver("fake") is FakePlant


def test_the_project_registers_what_the_code_knows():
    registered = tomllib.loads(PYPROJECT.read_text())["project"]["entry-points"][drivers.GROUP]
    assert registered == {name: point.value for name, point in drivers._OWN.items()}


def test_an_installed_driver_is_found_and_built(site: Path):
    code = "from telecell.plant import FakePlant\n\ndef build(cell, *, seed, period_s):\n"
    install(site, "good_arm", "good = good_arm:build", code=code + "    return FakePlant(cell, period_s=period_s)\n")
    assert "good" in list_drivers()
    assert load_driver("good")(load_cell("puma"), seed=0, period_s=0.008).period_s == 0.008


def test_an_unknown_driver_lists_the_known_ones():
    with pytest.raises(UnknownName, match=r"no plant driver of that name, got 'phisics'.*Did you mean 'physics'"):
        load_driver("phisics")


@pytest.mark.parametrize(
    ("package", "code", "words"),
    [
        ("arm_a", "import no_such_module_xyz\n", "ModuleNotFoundError: No module named 'no_such_module_xyz'"),
        ("arm_b", "1 / 0\n", "ZeroDivisionError"),
        ("arm_c", "", "AttributeError"),
        ("arm_d", "build = 3\n", "must name a function or class"),
    ],
)
def test_a_broken_package_is_named_with_its_version(site: Path, package: str, code: str, words: str):
    install(site, package, f"broken = {package}:build", code=code)
    with pytest.raises(PlantError) as caught:
        load_driver("broken")
    assert str(caught.value).startswith(f"driver 'broken' of {package} 1.2: ")
    assert words in str(caught.value)


def test_two_packages_that_claim_a_name_are_both_named(site: Path):
    for package in ("one_arm", "two_arm"):
        install(site, package, f"arm = {package}:build", code="build = print\n")
    with pytest.raises(PlantError, match=r"two packages register the same driver.*one_arm 1.2.*two_arm 1.2"):
        load_driver("arm")


def test_nobody_takes_the_name_of_the_physics(site: Path):
    install(site, "usurper", "physics = usurper:build", code="build = print\n")
    assert load_driver("physics") is PhysicsPlant
