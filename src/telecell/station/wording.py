"""Events and stops in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telecell.control.sources import SOURCES
from telecell.control.stops import STOPS
from telecell.messages import AnyEvent, events

_OUTCOMES = {"arrived": "arrived", "halted": "was halted", "stopped": "was stopped"}

_GRANTS = {
    "acquired": "{holder} has control",
    "queued": "{holder} waits for control: {reason}",
    "left": "{holder} waits no longer: {reason}",
    "split": "control of {holder}: {reason}",
    "merged": "control of {holder}: {reason}",
    "released": "control was {reason}",
    "handed_over": "control was {reason}",
    "taken_back": "control of {holder} was {reason}",
    "expired": "{holder} has lost control: {reason}",
    "idle": "{holder} has lost control: {reason}",
    "overdue": "{holder} has lost control: {reason}",
}
"""The rows of the table of changes."""


def _describe_grant(event: events.GrantChanged) -> str:
    words = _GRANTS.get(event.change, "control of {holder} has changed: {reason}")
    return words.format(holder=event.holder, reason=event.reason)


_WORDS: dict[type, Callable[[Any], str]] = {
    events.Stopped: lambda event: f"stopped, {get_stop_title(event.cause)}: {event.reason}",
    events.StoppedAxesReset: lambda _: "reset, robots may move again",
    events.PowerChanged: lambda event: f"{event.robot}: power {write_signal(event.on)}",
    events.GrantChanged: _describe_grant,
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


def get_source_title(source: str) -> str:
    """What commands, in words."""
    return SOURCES[source].title if source in SOURCES else source


def get_stop_title(cause: str) -> str:
    """A cause of a stop in words."""
    return STOPS[cause].title if cause in STOPS else cause


def get_stop_remedy(cause: str) -> str:
    """What lets motion begin again."""
    return STOPS[cause].cleared_by if cause in STOPS else "reset"


def write_signal(value: bool) -> str:
    """The value of a signal or switch."""
    return "on" if value else "off"
