"""Events and stops in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telecell.control.stops import STOPS
from telecell.messages import AnyEvent, events

_OUTCOMES = {"arrived": "arrived", "halted": "was halted", "stopped": "was stopped"}

_WORDS: dict[type, Callable[[Any], str]] = {
    events.Stopped: lambda event: f"stopped, {get_stop_title(event.cause)}: {event.reason}",
    events.StoppedAxesReset: lambda _: "reset, robots may move again",
    events.PowerChanged: lambda event: f"{event.robot}: power {write_signal(event.on)}",
    events.ControlChanged: lambda event: f"{event.holder or 'nobody'} has control",
    events.SegmentEnded: lambda event: f"{event.robot}: motion {event.segment} {_OUTCOMES[event.outcome]}",
    events.StreamEnded: lambda event: f"{event.robot}: slider motion {_OUTCOMES[event.outcome]}",
    events.SignalChanged: lambda event: f"signal {event.name} {write_signal(event.value)}",
    events.PosesChanged: lambda event: f"{event.robot}: pose {event.pose} {'deleted' if event.deleted else 'saved'}",
    events.Warned: lambda event: event.reason,
}


def describe_event(event: AnyEvent) -> str | None:
    """What has happened; None for what the page shows elsewhere: modes, refusals, motion that begins."""
    words = _WORDS.get(type(event))
    return words(event) if words else None


def get_stop_title(cause: str) -> str:
    """A cause of a stop in words."""
    return STOPS[cause].title if cause in STOPS else cause


def get_stop_remedy(cause: str) -> str:
    """What lets motion begin again."""
    return STOPS[cause].cleared_by if cause in STOPS else "reset"


def write_signal(value: bool) -> str:
    """The value of a signal or switch."""
    return "on" if value else "off"
