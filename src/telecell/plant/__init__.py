"""What the controller moves: physics, fake, later hardware, behind one small interface."""

from telecell.plant.fake import FakePlant
from telecell.plant.interface import Command, Measurement, Plant
from telecell.plant.physics import PhysicsPlant

__all__ = ["Command", "FakePlant", "Measurement", "PhysicsPlant", "Plant"]
