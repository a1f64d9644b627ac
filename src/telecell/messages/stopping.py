"""Requests that end or interrupt motion."""

from __future__ import annotations

from telecell.messages.request import Command, Request


class Halt(Command, frozen=True, tag="halt", kw_only=True):
    """End a robot's motion on its path; what is queued is dropped, nothing is latched."""

    robot: str


class Pause(Command, frozen=True, tag="pause", kw_only=True):
    """Come to rest on the path, and keep the rest of it."""

    robot: str


class Resume(Command, frozen=True, tag="resume", kw_only=True):
    """Go on after a pause."""

    robot: str


class Stop(Request, frozen=True, tag="stop", kw_only=True):
    """Stop and latch: anybody may, at any time, without a grant. This is no safety-rated emergency stop.

    Attributes:
        author: who presses, for the record.
        robot: which robot; the whole cell if left out.
    """

    author: str
    robot: str | None = None


class Reset(Command, frozen=True, tag="reset", kw_only=True):
    """Take the latch off again, so that motion may be asked for; nothing moves by itself.

    Attributes:
        robot: which robot; all axes of the grant if left out.
    """

    robot: str | None = None


AnyStopping = Halt | Pause | Resume | Stop | Reset
