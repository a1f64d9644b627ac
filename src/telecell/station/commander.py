"""From what a person does on the page to requests, and from replies back to that person."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

from telecell.bus import Link, Report
from telecell.messages import AnyRequest, MoveAxes, Reply, SetTool

MAX_PENDING = 1000

ClientId = int


class Commander:
    """Numbers the requests, remembers who made them, and tells that person when one is refused.

    Args:
        link: to the cell server.
        on_refusal: called with the person's client number and the reason.
    """

    def __init__(self, link: Link[Report], on_refusal: Callable[[ClientId, str], None]):
        self._link = link
        self._on_refusal = on_refusal
        self._sequence = 0
        self._pending: OrderedDict[int, ClientId] = OrderedDict()

    def move_axes(self, targets: dict[str, float], client: ClientId) -> None:
        """Ask for axes to go to positions (rad or m)."""
        self._send(MoveAxes(sequence=self._next(), targets=targets), client)

    def set_tool(self, tool: str, opening: float, client: ClientId) -> None:
        """Ask for a tool to open (1) or close (0)."""
        self._send(SetTool(sequence=self._next(), tool=tool, opening=opening), client)

    def settle(self, replies: Iterable[Reply]) -> None:
        """Take in the cell's answers."""
        for reply in replies:
            client = self._pending.pop(reply.sequence, None)
            if client is not None and reply.error is not None:
                self._on_refusal(client, reply.error)

    def _next(self) -> int:
        self._sequence += 1
        return self._sequence

    def _send(self, request: AnyRequest, client: ClientId) -> None:
        if not self._link.send(request):
            self._on_refusal(client, "The cell takes no requests at the moment. Try again.")
            return
        self._pending[request.sequence] = client
        while len(self._pending) > MAX_PENDING:
            self._pending.popitem(last=False)
