"""Where an unknown robot can start without touching itself or the floor, and which overlaps are only its drawing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from telecell.kinematics.posture import Posture
from telecell.models import Cell
from telecell.models.world import FLOOR
from telecell.watch import find_contacts

SAMPLES = 200
ALWAYS = 0.95
"""Share of random postures in which two bodies overlap because they are drawn that way, not because they collide."""

NEAR = 2
"""Joints between two bodies that may overlap because collision shapes are coarse."""

OVERLAP_M = 1e-4
_STEPS_DEG = (-90.0, 90.0, -45.0, 45.0)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Start:
    """A proposed start.

    Attributes:
        values: per axis of the cell, rad or m.
        always: bodies that overlap in nearly every posture.
        near: neighbours that overlap at the start.
        far: what else overlaps at the start, if no free posture was found.
        lift_m: how much higher the robot must stand to be free of the floor.
    """

    values: tuple[float, ...]
    always: tuple[Pair, ...]
    near: tuple[Pair, ...]
    far: tuple[Pair, ...]
    lift_m: float


@dataclass(frozen=True, slots=True)
class _Touch:
    """What touches in one posture."""

    pairs: frozenset[Pair]
    floor_depth_m: float


def propose_start(cell: Cell, preferred: Sequence[tuple[float, ...]]) -> Start:
    """The first posture without contact: a preferred one, zero, mid range, one axis turned, any.

    Args:
        cell: with the robot in it, standing on the floor.
        preferred: postures that the robot's own file names.
    """
    probe = _Probe(cell)
    samples = [*_sample(cell)]
    always = probe.find_always(samples)
    candidates = [*preferred, *_propose_postures(cell), *samples]
    touches = [probe.touch(values, always) for values in candidates]
    best = min(range(len(candidates)), key=lambda i: _badness(probe, touches[i], i))
    chosen = touches[best]
    near = {pair for pair in chosen.pairs if probe.count_joints(pair) <= NEAR}
    lift = math.ceil(chosen.floor_depth_m * 1000 + 1) / 1000 if chosen.floor_depth_m else 0.0
    return Start(candidates[best], tuple(sorted(always)), tuple(sorted(near)), tuple(sorted(chosen.pairs - near)), lift)


def _badness(probe: _Probe, touch: _Touch, index: int) -> tuple[int, bool, int, int]:
    """Real collisions are worst, then the floor, which a higher stand cures, then neighbours, then a late place."""
    far = sum(probe.count_joints(pair) > NEAR for pair in touch.pairs)
    return far, touch.floor_depth_m > 0, len(touch.pairs), index


def _propose_postures(cell: Cell) -> Iterator[tuple[float, ...]]:
    zero = tuple(axis.clamp(0.0) for axis in cell.axes)
    yield zero
    yield tuple(sum(axis.software_limits) / 2 for axis in cell.axes)
    for step in _STEPS_DEG:
        for index, axis in enumerate(cell.axes):
            if axis.kind == "hinge":
                turned = axis.clamp(zero[index] + math.radians(step))
                yield (*zero[:index], turned, *zero[index + 1 :])


def _sample(cell: Cell) -> Iterator[tuple[float, ...]]:
    limits = np.array([axis.software_limits for axis in cell.axes]).reshape(-1, 2)
    random = np.random.default_rng(0)
    for _ in range(SAMPLES):
        yield tuple(random.uniform(limits[:, 0], limits[:, 1]).tolist())


class _Probe:
    """Which bodies overlap in a posture, tools open."""

    def __init__(self, cell: Cell):
        self._posture = Posture(cell)

    def touch(self, values: tuple[float, ...], ignored: frozenset[Pair] = frozenset()) -> _Touch:
        self._posture.set(values)
        contacts = find_contacts(self._posture, deeper_than_m=OVERLAP_M)
        on_floor = [contact.depth_m for contact in contacts if FLOOR in (contact.first, contact.second)]
        pairs = {(c.first, c.second) for c in contacts if FLOOR not in (c.first, c.second)}
        return _Touch(frozenset(pairs - ignored), max(on_floor, default=0.0))

    def find_always(self, samples: list[tuple[float, ...]]) -> frozenset[Pair]:
        counts = Counter(pair for values in samples for pair in self.touch(values).pairs)
        return frozenset(pair for pair, count in counts.items() if count >= ALWAYS * len(samples))

    def count_joints(self, pair: Pair) -> int:
        """The joints between two bodies of the tree; 99 when only the world joins them."""
        first, second = (self._list_moving_ancestors(name) for name in pair)
        common = [body for body in first if body in second]
        return first.index(common[0]) + second.index(common[0]) if common[0] else 99

    def _list_moving_ancestors(self, name: str) -> list[int]:
        """The body and what carries it, fixed bodies counted as one, down to the world."""
        model = self._posture.model
        body = int(model.body_weldid[model.body(name).id])
        found = [body]
        while body:
            body = int(model.body_weldid[model.body_parentid[body]])
            found.append(body)
        return found
