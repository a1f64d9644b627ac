"""Everything that ends motion, by cause: how hard, what stays latched, and what lets motion begin again."""

from __future__ import annotations

from typing import Literal

import msgspec

from telecell.errors import FollowingErrorExceeded, MotionStopped, PlantLost, TelecellError

Ramp = Literal["path", "measured"]
Scope = Literal["robot", "cell"]


class StopRow(msgspec.Struct, frozen=True, kw_only=True):
    """One cause.

    Attributes:
        title: in words.
        category: 2 keeps the power, 1 ramps and then takes it away, 0 takes it away at once.
        ramp: along the path, or from the measured state where the path can no longer be trusted.
        latched: nothing moves until reset.
        scope: what is stopped: the robots of the axis concerned, or the whole cell.
        cleared_by: in words.
        error: what whoever waits for the motion, or asks for another, is told.
    """

    title: str
    category: Literal[0, 1, 2]
    ramp: Ramp = "path"
    latched: bool = True
    scope: Scope = "robot"
    cleared_by: str = "reset"
    error: type[TelecellError] = MotionStopped


_OFF = {"category": 0, "scope": "cell", "cleared_by": "reset, then power on"}
_MEASURED = {"category": 2, "ramp": "measured", "cleared_by": "reset; then motion that leads away from the cause"}

STOPS: dict[str, StopRow] = {
    "arrived": StopRow(title="end of motion", category=2, latched=False, cleared_by="nothing"),
    "halt": StopRow(title="halt by the holder, control given back", category=2, latched=False, cleared_by="nothing"),
    "pause": StopRow(title="pause", category=2, latched=False, cleared_by="resume"),
    "stop": StopRow(title="stop by anybody", category=2, scope="cell"),
    "silence": StopRow(title="whoever moved the robot went quiet", category=2),
    "grant_lost": StopRow(title="the grant was lost, handed over or taken back", category=2),
    "following_error": StopRow(title="an axis is not where it should be", error=FollowingErrorExceeded, **_MEASURED),
    "position_limit": StopRow(title="an axis has left its limits", **_MEASURED),
    "speed_limit": StopRow(title="an axis or a tip is faster than it may be", **_MEASURED),
    "torque_limit": StopRow(title="a drive gives more than it may", **_MEASURED),
    "plant_slow": StopRow(title="the plant runs slower than half of real time", scope="cell", **_MEASURED),
    "power_off": StopRow(title="power switched off in motion", category=1, cleared_by="reset, then power on"),
    "guard_door": StopRow(title="a guard door was opened", category=1, scope="cell", cleared_by="reset, then power on"),
    "emergency_stop": StopRow(
        title="an emergency stop was pressed", category=1, scope="cell", cleared_by="reset, then power on"
    ),
    "power_lost": StopRow(title="a drive lost its power", **_OFF),
    "plant_lost": StopRow(title="the plant or its driver is lost", error=PlantLost, **_OFF),
}
"""Category 1 becomes 0 where the driver cannot ramp before it switches off."""
