"""Angles as people write them."""

from __future__ import annotations

import math


def deg(*angles: float) -> tuple[float, ...]:
    """Degrees to radians: `deg(0, -90, 90, 0, 0, 0)` is a joint vector."""
    return tuple(math.radians(angle) for angle in angles)
