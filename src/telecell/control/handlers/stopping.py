"""Requests that end or interrupt motion, and the one that lets it begin again."""

from __future__ import annotations

import numpy as np

from telecell.control.core import Core
from telecell.control.handlers.access import admit, get_arm, validate_alone
from telecell.control.stops import STOPS
from telecell.errors import MotionHalted, MotionStopped
from telecell.messages import events
from telecell.messages.replies import Done
from telecell.messages.stopping import Halt, Pause, Reset, Resume, Stop

MAX_AUTHOR = 64


def _halt(core: Core, request: Halt) -> Done:
    core.halt(core.list_sharing(admit(core, request.robot, request)))
    return Done(request.sequence)


def _pause(core: Core, request: Pause) -> Done:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    arm.motion.paused = True
    return Done(request.sequence)


def _resume(core: Core, request: Resume) -> Done:
    arm = admit(core, request.robot, request)
    validate_alone(core, arm)
    arm.motion.paused = False
    return Done(request.sequence)


def _stop(core: Core, request: Stop) -> Done:
    mask = core.find_mask(()) if request.robot is None else get_arm(core, request.robot).mask
    author = request.author[:MAX_AUTHOR]
    core.stopper.stop("stop", mask, f"pressed by {author}", core.measured, author=author, request=request.origin)
    return Done(request.sequence)


def _reset(core: Core, request: Reset) -> Done:
    mask = core.grants.get(request).mask if request.robot is None else get_arm(core, request.robot).mask
    _validate_reset(core, mask)
    latched = mask & core.axes.latched
    if not latched.any():
        return Done(request.sequence)
    for i in np.flatnonzero(latched):
        cause = core.axes.latches[i]
        if cause is not None and STOPS[cause].ramp == "measured":
            core.axes.adopt(np.arange(len(mask)) == i, core.measured)
        core.axes.latches[i] = None
    core.journal.note(events.StoppedAxesReset, request=request.origin, axes=core.axes.get_names(latched))
    return Done(request.sequence)


def _validate_reset(core: Core, mask: np.ndarray) -> None:
    for arm in core.arms.values():
        if arm.motion.active and arm.motion.ending and (arm.mask & mask).any():
            raise MotionHalted(
                "the robot is still coming to rest", where=f"robot {arm.name}", remedy="Reset when it stands."
            )
    guard = core.monitors.find_open_guard(core.measured)
    if guard is not None:
        raise MotionStopped("the cause of the stop is still there", value=guard, remedy="Remove it, then reset.")


HANDLERS = {Halt: _halt, Pause: _pause, Resume: _resume, Stop: _stop, Reset: _reset}
