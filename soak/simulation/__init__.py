"""Cell, people and links in one deterministic world: the real controller, and everything else from one seed."""

from soak.simulation.judge import judge
from soak.simulation.world import simulate

__all__ = ["judge", "simulate"]
