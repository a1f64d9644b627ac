"""How the panels name the axes of a robot."""

from __future__ import annotations

from itertools import takewhile

from telecell.models import Axis


def write_titles(axes: tuple[Axis, ...]) -> list[str]:
    """Numbered titles, without the words that all axes of the same mount begin with."""
    by_mount: dict[str, list[list[str]]] = {}
    for axis in axes:
        by_mount.setdefault(_get_mount(axis), []).append(axis.title.split())
    common = {mount: _count_common_words(titles) for mount, titles in by_mount.items()}
    return [
        f"{number} {' '.join(axis.title.split()[common[_get_mount(axis)] :])}"
        for number, axis in enumerate(axes, start=1)
    ]


def _get_mount(axis: Axis) -> str:
    return axis.name.partition("/")[0]


def _count_common_words(titles: list[list[str]]) -> int:
    """How many words all titles begin with; none for a single title, and the last word always stays."""
    if len(titles) == 1:
        return 0
    shared = takewhile(lambda words: len(set(words)) == 1, zip(*(title[:-1] for title in titles), strict=False))
    return sum(1 for _ in shared)
