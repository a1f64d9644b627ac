"""What `telecell watch` shows: a live table, lines, or lines of JSON."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from telecell.cli.output import build_table
from telecell.cli.status import ROBOT_COLUMNS, write_link, write_robot
from telecell.clock import SystemClock

if TYPE_CHECKING:
    from telecell.messages import AnyEvent

LINE_EVERY_S = 1.0
LAST_WORDS = 10
"""So many events stay on screen."""


@dataclass(frozen=True, slots=True)
class Look:
    """A cell at one moment.

    Attributes:
        document: as `telecell status` has it, with joint values.
        joints: for people, by robot.
    """

    document: dict[str, Any]
    joints: dict[str, str]


class View(ABC):
    """Shows a cell to somebody, in a `with` block."""

    def __enter__(self) -> View:
        return self

    def __exit__(  # noqa: B027 - most have nothing to end
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass

    @abstractmethod
    def show(self, look: Look) -> None:
        """How the cell is now; called many times a second."""

    @abstractmethod
    def note(self, event: AnyEvent) -> None:
        """Something has happened in the cell."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Something has happened on the way to the cell."""


class Lines(View):
    """A line for each event, and one per robot and second.

    Args:
        only_events: no others.
    """

    def __init__(self, *, only_events: bool):
        self._clock = SystemClock()
        self._next_s = math.inf if only_events else self._clock.now()

    def show(self, look: Look) -> None:
        """Print how the cell is, when it is time."""
        now_s = self._clock.now()
        if now_s >= self._next_s:
            self._next_s = now_s + LINE_EVERY_S
            self._print_look(look)

    def note(self, event: AnyEvent) -> None:
        """Print it."""
        self.say(f"tick {event.tick}: {describe(event)}")

    def say(self, text: str) -> None:
        """Print it."""
        print(text, flush=True)

    def _print_look(self, look: Look) -> None:
        link = write_link(look.document["link"])
        for robot in look.document["robots"]:
            name, mode, holder, stopped, _ = write_robot(robot)
            doing = f"{mode} ({stopped})" if stopped else mode
            self.say(f"tick {look.document['tick']}: {name} {doing}, held by {holder}, {look.joints[name]}, {link}")


class JsonLines(Lines):
    """The same for programs: a document per line."""

    def note(self, event: AnyEvent) -> None:
        """Print it."""
        tag = event.__struct_config__.tag
        self._print(
            {"event": tag, "number": event.number, "tick": event.tick, "robot": event.robot, "text": describe(event)}
        )

    def say(self, text: str) -> None:
        """Print it."""
        self._print({"notice": text})

    def _print_look(self, look: Look) -> None:
        self._print(look.document)

    def _print(self, document: dict[str, Any]) -> None:
        print(json.dumps(document, allow_nan=False), flush=True)


class LiveTable(View):
    """A table of the robots that follows the cell, with the last events below."""

    def __init__(self) -> None:
        from rich.live import Live

        self._live = Live(auto_refresh=False)
        self._words: deque[str] = deque(maxlen=LAST_WORDS)

    def __enter__(self) -> View:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, look: Look) -> None:
        """Draw the table anew."""
        from rich.console import Group
        from rich.text import Text

        document = look.document
        rows = [(*write_robot(robot), look.joints[robot["name"]]) for robot in document["robots"]]
        loop = f"{document['time_s']:.1f} s, real-time factor {document['real_time_factor']:.2f}"
        table = build_table(f"Cell {document['cell']}: {loop}", (*ROBOT_COLUMNS, "joints"), rows)
        below = [Text(words) for words in (write_link(document["link"]), "", *self._words)]
        self._live.update(Group(table, *below), refresh=True)

    def note(self, event: AnyEvent) -> None:
        """Keep it for the next time the table is drawn."""
        self._words.append(f"tick {event.tick}: {describe(event)}")

    def say(self, text: str) -> None:
        """Say it above the table, where it stays."""
        self._live.console.print(text, markup=False, highlight=False)


def describe(event: AnyEvent) -> str:
    """What has happened, in words."""
    from telecell.messages import events
    from telecell.station.wording import describe_event

    match event:  # what the page has other places for
        case events.ModeChanged():
            return f"{event.robot}: {event.mode}"
        case events.SegmentStarted():
            return f"{event.robot}: motion {event.segment} begins"
        case events.CommandRefused():
            return f"{event.operation} refused: {event.reason}"
    return describe_event(event) or str(event.__struct_config__.tag)
