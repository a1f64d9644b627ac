"""Drivers by name: our own two, and those that other packages register as entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, cast

from telecell.contract.interface import Plant
from telecell.errors import PlantError, UnknownName
from telecell.models import Cell

GROUP = "telecell.plants"

# Stated here too, so that a source tree without installed metadata has them and nobody can take their names.
_OWN = {
    "physics": EntryPoint("physics", "telecell.plant.physics:PhysicsPlant", GROUP),
    "fake": EntryPoint("fake", "telecell.plant.fake:FakePlant", GROUP),
}


class PlantFactory(Protocol):
    """What a driver's entry point names."""

    def __call__(self, cell: Cell, *, seed: int, **options: Any) -> Plant:
        """A plant for a cell, not started yet.

        Args:
            cell: what to move.
            seed: of whatever is random.
            options: of this driver, such as an address.
        """
        ...


def list_drivers() -> tuple[str, ...]:
    """The names of all drivers on this machine, sorted."""
    return tuple(sorted({*_OWN, *(point.name for point in entry_points(group=GROUP))}))


def load_driver(name: str) -> PlantFactory:
    """The factory of a driver.

    Raises:
        UnknownName: no such driver.
        PlantError: its package is broken, or two packages claim the name.
    """
    point = _OWN.get(name) or _find_foreign(name)
    try:
        factory = point.load()
    except Exception as error:  # whatever somebody else's package does while it is imported
        raise PlantError(
            f"the driver cannot be loaded: {type(error).__name__}: {error}",
            where=_describe(point),
            remedy="Install it again, or ask its authors.",
        ) from error
    if not callable(factory):
        raise PlantError(
            "the driver's entry point must name a function or class",
            where=_describe(point),
            value=point.value,
            remedy="docs/drivers.md says what it is called with.",
        )
    return cast(PlantFactory, factory)


def _find_foreign(name: str) -> EntryPoint:
    points = list(entry_points(group=GROUP, name=name))
    if not points:
        raise UnknownName("plant driver", name, list_drivers())
    if len(points) > 1:
        raise PlantError(
            "two packages register the same driver",
            where=f"driver {name!r}",
            value=[_describe(point) for point in points],
            remedy="Uninstall one of them.",
        )
    return points[0]


def _describe(point: EntryPoint) -> str:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else "telecell"
    return f"driver {point.name!r} of {package}"
