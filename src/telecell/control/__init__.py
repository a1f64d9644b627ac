"""The controller core: modes, stops, queue and stream of every robot of a cell."""

from telecell.control.controller import Controller, StepResult
from telecell.control.state import ControllerState

__all__ = ["Controller", "ControllerState", "StepResult"]
