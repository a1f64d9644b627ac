"""Keeps count of what a cell says: events without gaps, segments that end once, modes reached by known ways."""

from __future__ import annotations

from collections.abc import Iterable

from telecell.control.modes import MODES, TRANSITIONS
from telecell.messages import AnyEvent, AnyReply, events, replies
from telecell.models import Cell

WAYS = {(way.start.value, way.end.value) for way in TRANSITIONS}
ORDER = [mode.value for mode in MODES]


class Bookkeeper:
    """Judges replies and events by themselves.

    Attributes:
        mistakes: what does not add up, in words.
        modes: of each robot, by its events.
        unended: queued segments that have not ended, as robot and number.
    """

    def __init__(self, cell: Cell):
        self.mistakes: list[str] = []
        self.modes = dict.fromkeys((robot.name for robot in cell.robots), "off")
        self._parts = {robot.name: _find_parts(cell, set(robot.axis_names)) for robot in cell.robots}
        self.unended: set[tuple[str, int]] = set()
        self._newest = 0
        self._segments = dict.fromkeys(self.modes, 0)

    def find_undivided(self) -> list[str]:
        """Robots that are not made of others."""
        return [robot for robot, parts in self._parts.items() if not parts]

    def note_queued(self, robot: str, reply: AnyReply) -> None:
        """A move was answered."""
        if isinstance(reply, replies.Queued):
            if reply.segment <= self._segments[robot]:
                self.mistakes.append(f"segment {reply.segment} of {robot} after {self._segments[robot]}")
            self._segments[robot] = reply.segment
            self.unended.add((robot, reply.segment))

    def note_events(self, happened: Iterable[AnyEvent]) -> None:
        """Events of one tick, in their order."""
        for event in happened:
            if event.number != self._newest + 1:
                self.mistakes.append(f"event {event.number} after {self._newest}")
            self._newest = event.number
            match event:
                case events.ModeChanged():
                    self._note_mode(event)
                case events.SegmentStarted() if (event.robot, event.segment) not in self.unended:
                    self.mistakes.append(f"segment {event.segment} of {event.robot} began after it had ended")
                case events.SegmentEnded():
                    self._note_end(event)
        self._compare_with_parts()

    def _note_mode(self, event: events.ModeChanged) -> None:
        robot = str(event.robot)
        if event.before != self.modes[robot]:
            self.mistakes.append(f"{robot} was {self.modes[robot]}, not {event.before}")
        if not self._parts[robot] and (event.before, event.mode) not in WAYS:
            self.mistakes.append(f"{robot} went from {event.before} to {event.mode}, which is not in the table")
        self.modes[robot] = event.mode

    def _compare_with_parts(self) -> None:
        """A robot that is made of others is in whichever of their modes comes first in the table."""
        for robot, parts in self._parts.items():
            if parts:
                expected = min((self.modes[part] for part in parts), key=ORDER.index)
                if self.modes[robot] != expected:
                    self.mistakes.append(f"{robot} is {self.modes[robot]}, but of its parts one is {expected}")

    def _note_end(self, event: events.SegmentEnded) -> None:
        segment = (str(event.robot), event.segment or 0)
        if segment not in self.unended:
            self.mistakes.append(f"segment {segment[1]} of {segment[0]} ended twice, or was never queued")
        self.unended.discard(segment)


def _find_parts(cell: Cell, axes: set[str]) -> list[str]:
    return [robot.name for robot in cell.robots if set(robot.axis_names) < axes]
