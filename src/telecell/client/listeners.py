"""Whoever wants to be told of events: callbacks, and inboxes that are read one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from weakref import WeakSet

from telecell.errors import UnknownName
from telecell.messages import EVENT_KINDS, AnyEvent

Callback = Callable[[AnyEvent], object]
Kinds = str | Sequence[str]
"""One tag of `EVENT_KINDS`, or several; none for all."""

LONGEST_INBOX = 1000


class Inbox:
    """Events that wait to be read.

    Attributes:
        events: the oldest first.
        lost: how many were left out because nobody read.
    """

    def __init__(self, kinds: frozenset[str]):
        self._kinds = kinds
        self.events: deque[AnyEvent] = deque()
        self.lost = 0

    def put(self, event: AnyEvent) -> None:
        """Keep an event, if it is of a wanted kind and there is room."""
        if event.__struct_config__.tag not in self._kinds:
            return
        if len(self.events) < LONGEST_INBOX:
            self.events.append(event)
        else:
            self.lost += 1


class Listeners:
    """All of them. An inbox is forgotten with its last reader."""

    def __init__(self) -> None:
        self._callbacks: dict[object, tuple[Callback, frozenset[str]]] = {}
        self._inboxes: WeakSet[Inbox] = WeakSet()

    def add(self, callback: Callback, kinds: Kinds) -> Callable[[], None]:
        """Have a function called with every event; returns a function that ends it."""
        key = object()
        self._callbacks[key] = callback, _read_kinds(kinds)

        def remove() -> None:
            self._callbacks.pop(key, None)

        return remove

    def open_inbox(self, kinds: Kinds) -> Inbox:
        """Collect events from now on."""
        inbox = Inbox(_read_kinds(kinds))
        self._inboxes.add(inbox)
        return inbox

    def tell(self, events: Iterable[AnyEvent], failures: list[Exception]) -> None:
        """Tell everybody; whatever callbacks raise is collected."""
        for event in events:
            for inbox in self._inboxes:
                inbox.put(event)
            for callback, kinds in list(self._callbacks.values()):
                if event.__struct_config__.tag in kinds:
                    call(callback, failures, event)


def call(callback: Callable[..., object], failures: list[Exception], *arguments: object) -> None:
    """Call a function of the program; what it raises is collected, so that everybody else is told, too."""
    try:
        callback(*arguments)
    except Exception as error:
        failures.append(error)


def raise_all(failures: list[Exception]) -> None:
    """Raise what functions of the program have raised.

    Raises:
        Exception: what one of them raised; an `ExceptionGroup` if there were more.
    """
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise ExceptionGroup("several callbacks failed", failures)


def _read_kinds(kinds: Kinds) -> frozenset[str]:
    wanted = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    for kind in wanted:
        if kind not in EVENT_KINDS:
            raise UnknownName("kind of event", kind, EVENT_KINDS)
    return frozenset(wanted or EVENT_KINDS)
