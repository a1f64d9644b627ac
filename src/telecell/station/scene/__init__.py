"""The three-dimensional part of the page."""

from telecell.station.scene.picture import Picture
from telecell.station.scene.scene import Scene
from telecell.station.scene.views import look

__all__ = ["Picture", "Scene", "look"]
