"""What the controller moves: physics, fake, or a driver, behind one contract."""

from telecell.plant.fake import FakePlant
from telecell.plant.physics import PhysicsPlant

__all__ = ["FakePlant", "PhysicsPlant"]
