"""The controls of the page: one file per panel."""

from telecell.station.panels.camera import CameraPanel
from telecell.station.panels.control import ControlPanel
from telecell.station.panels.joints import JointsPanel
from telecell.station.panels.link import LinkPanel
from telecell.station.panels.loop import LoopPanel
from telecell.station.panels.panel import Later, Panel
from telecell.station.panels.poses import PosesPanel
from telecell.station.panels.readings import ReadingsPanel
from telecell.station.panels.robot import RobotPanel
from telecell.station.panels.scene import ScenePanel
from telecell.station.panels.sharing import SharingPanel
from telecell.station.panels.signals import SignalsPanel
from telecell.station.panels.stop import StopPanel
from telecell.station.panels.tools import ToolsPanel

__all__ = [
    "CameraPanel",
    "ControlPanel",
    "JointsPanel",
    "Later",
    "LinkPanel",
    "LoopPanel",
    "Panel",
    "PosesPanel",
    "ReadingsPanel",
    "RobotPanel",
    "ScenePanel",
    "SharingPanel",
    "SignalsPanel",
    "StopPanel",
    "ToolsPanel",
]
