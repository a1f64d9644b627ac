"""A slider or switch that a person and the cell move in turn."""

from __future__ import annotations

import math
from typing import Generic, TypeVar

import viser

Value = TypeVar("Value", float, bool)


class FollowingInput(Generic[Value]):
    """Stays where its person has put it until that is reached or given up; otherwise it follows the cell.

    Args:
        handle: the slider or switch in the page.

    Attributes:
        handle: the same.
        shown: its value as far as the panel knows; it differs while a person's action is under way.
    """

    def __init__(self, handle: viser.GuiInputHandle[Value]):
        self.handle = handle
        self.shown: Value = handle.value
        self._wanted: Value | None = None

    def put(self, shown: Value) -> None:
        """Move it."""
        self.shown = shown
        self.handle.value = shown

    def touch(self, shown: Value, wanted: Value) -> None:
        """A person has put it somewhere, and wants what of it is possible."""
        self.shown = shown
        self._wanted = wanted
        if not math.isclose(wanted, shown, abs_tol=1e-6):
            self.put(wanted)

    def follow(self, shown: Value, *, busy: bool) -> None:
        """Show what the cell says, unless its person's wish is still being carried out."""
        if self.handle.value != self.shown:
            return
        if self._wanted is None or self._wanted == shown or not busy:
            self._wanted = None
            self.put(shown)
