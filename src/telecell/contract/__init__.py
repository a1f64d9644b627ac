"""The driver contract: what the controller and whatever it moves agree on."""

from telecell.contract.interface import Command, Drive, Measurement, Plant, started
from telecell.contract.snapshots import decode_snapshot
from telecell.contract.validation import CommandValidator

__all__ = ["Command", "CommandValidator", "Drive", "Measurement", "Plant", "decode_snapshot", "started"]
