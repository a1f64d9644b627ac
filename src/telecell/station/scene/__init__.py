"""The three-dimensional part of the page."""

from telecell.station.scene.scene import Scene
from telecell.station.scene.views import VIEW_NAMES, look

__all__ = ["VIEW_NAMES", "Scene", "look"]
