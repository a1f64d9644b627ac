"""From the event of a stop to the error that it raises in whoever waits for the motion."""

from __future__ import annotations

from telecell.control.stops import STOPS
from telecell.errors import MotionStopped, TelecellError
from telecell.messages.events import Stopped


def build_stop_error(stop: Stopped, where: str) -> TelecellError:
    """The error of a motion that was stopped.

    `value` is the cause, `remedy` the way out, and `where` names the axis to blame if one is.
    """
    if stop.axis is not None:
        where = f"{where}, axis {stop.axis}"
    way_out = "Reset" if stop.category == 2 else "Reset, then switch the power on"
    kind = STOPS[stop.cause].error if stop.cause in STOPS else MotionStopped
    return kind(f"stopped: {stop.reason}", where=where, value=stop.cause, remedy=f"Remove the cause. {way_out}.")
