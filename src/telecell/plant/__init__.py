"""What the controller moves: physics, fake, later hardware, behind one small interface."""

from telecell.plant.fake import FakePlant
from telecell.plant.interface import Command, Drive, Measurement, Plant, started
from telecell.plant.physics import PhysicsPlant
from telecell.plant.validation import CommandValidator

__all__ = ["Command", "CommandValidator", "Drive", "FakePlant", "Measurement", "PhysicsPlant", "Plant", "started"]
