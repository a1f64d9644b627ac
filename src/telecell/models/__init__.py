"""Robots and cells as data: file formats, catalog, loader, and the MuJoCo world composed from them."""

from telecell.models.axis import Axis
from telecell.models.catalog import list_cells, list_models
from telecell.models.cell import WORLD, Beam, Camera, Cell, ForceSensor, Frame, Mount, Robot, Signal, Tool
from telecell.models.description import CellFile, ModelFile
from telecell.models.loader import build_cell, load_cell, load_model_cell
from telecell.models.model import Model
from telecell.models.world import build_start_posture, build_world, compile_world

__all__ = [
    "WORLD",
    "Axis",
    "Beam",
    "Camera",
    "Cell",
    "CellFile",
    "ForceSensor",
    "Frame",
    "Model",
    "ModelFile",
    "Mount",
    "Robot",
    "Signal",
    "Tool",
    "build_cell",
    "build_start_posture",
    "build_world",
    "compile_world",
    "list_cells",
    "list_models",
    "load_cell",
    "load_model_cell",
]
