"""What the controller moves: physics, fake, later hardware, behind one small interface."""

from telecell.contract.interface import Command, Drive, Measurement, Plant, started
from telecell.contract.validation import CommandValidator
from telecell.plant.fake import FakePlant
from telecell.plant.physics import PhysicsPlant

__all__ = ["Command", "CommandValidator", "Drive", "FakePlant", "Measurement", "PhysicsPlant", "Plant", "started"]
