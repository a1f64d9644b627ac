"""The three-dimensional part of the page."""

from telecell.station.scene.scene import Scene
from telecell.station.scene.views import build_views, look

__all__ = ["Scene", "build_views", "look"]
