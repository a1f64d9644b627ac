"""`telecell new`: a cell around a robot file."""

from __future__ import annotations

EXAMPLES = ("telecell new robot.urdf",)


def run() -> None:
    """Make."""
