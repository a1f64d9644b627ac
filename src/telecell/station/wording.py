"""Events and stops in plain words."""

from __future__ import annotations

from telecell.control.stops import STOPS
from telecell.messages import AnyEvent
from telecell.messages.events import (
    ControlChanged,
    PosesChanged,
    PowerChanged,
    SegmentEnded,
    SignalChanged,
    Stopped,
    StoppedAxesReset,
    StreamEnded,
)

_OUTCOMES = {"arrived": "arrived", "halted": "was halted", "stopped": "was stopped"}


def describe_event(event: AnyEvent) -> str | None:
    """What has happened; None for what the page shows elsewhere: modes, refusals, motion that begins."""
    match event:
        case Stopped():
            return f"Stopped, {get_stop_title(event.cause)}: {event.reason}"
        case StoppedAxesReset():
            return "Reset: robots may move again"
        case PowerChanged():
            return f"{event.robot}: power {'on' if event.on else 'off'}"
        case ControlChanged():
            return f"{event.holder or 'nobody'} has control"
        case SegmentEnded():
            return f"{event.robot}: motion {event.segment} {_OUTCOMES[event.outcome]}"
        case StreamEnded():
            return f"{event.robot}: slider motion {_OUTCOMES[event.outcome]}"
        case SignalChanged():
            return f"signal {event.name}: {write_signal(event.value)}"
        case PosesChanged():
            return f"{event.robot}: pose {event.pose} {'deleted' if event.deleted else 'saved'}"
        case _:
            return None


def get_stop_title(cause: str) -> str:
    """A cause of a stop in words."""
    return STOPS[cause].title if cause in STOPS else cause


def get_stop_remedy(cause: str) -> str:
    """What lets motion begin again."""
    return STOPS[cause].cleared_by if cause in STOPS else "reset"


def write_signal(value: bool) -> str:
    """The value of a signal."""
    return "on" if value else "off"
