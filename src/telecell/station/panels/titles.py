"""How the panels name the axes of a robot."""

from __future__ import annotations

from telecell.models import Axis


def write_titles(axes: tuple[Axis, ...]) -> list[str]:
    """Numbered titles, without the words that all of them begin with."""
    titles = [axis.title.split() for axis in axes]
    common = 0
    while all(len(words) > common + 1 for words in titles) and len({words[common] for words in titles}) == 1:
        common += 1
    return [f"{number} {' '.join(words[common:])}" for number, words in enumerate(titles, start=1)]
