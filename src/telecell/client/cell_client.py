"""A cell, as a program sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from numpy.typing import ArrayLike

from telecell.client.countdown import Countdown
from telecell.client.link import LinkState
from telecell.client.listeners import Callback, Kinds
from telecell.client.manipulator import Manipulator
from telecell.client.pending import Pending
from telecell.client.segment import MOTION_TIMEOUT_S
from telecell.client.session import Session
from telecell.client.transport import Transport
from telecell.errors import UnknownName
from telecell.messages import AnyEvent, CellState, Request
from telecell.messages.granting import ListGrants
from telecell.messages.queries import Describe, ReadSignals
from telecell.messages.replies import Described, GrantEntry, GrantsListed
from telecell.messages.settings import DefineUserFrame, SetSignal
from telecell.messages.stopping import Reset, Stop
from telecell.plant.cameras import Picture


class CellClient:
    """One cell: its manipulators, its time, its signals and its events. Opened by `telecell.open_cell`.

    Time passes only inside calls that wait, and only one thread may call. A call that waits has a deadline in the
    cell's own time: 5 s for a reply, 600 s for the end of a motion.

    Attributes:
        manipulators: the handle of each robot, by name.
    """

    def __init__(self, session: Session):
        self._session = session
        self.manipulators: dict[str, Manipulator] = {}

    @classmethod
    def connect(cls, transport: Transport) -> CellClient:
        """Open the way to a cell; the client closes it.

        Raises:
            VersionMismatch: the cell speaks another version.
        """
        client = cls(Session(transport))
        try:
            client._session.start()
            robots = client.describe().robots
        except BaseException:
            client.close()
            raise
        client._session.robots = {entry.name: entry.axes for entry in robots}
        client.manipulators = {entry.name: Manipulator(client._session, entry) for entry in robots}
        return client

    def __enter__(self) -> CellClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the cell; what is still awaited fails. May be called twice."""
        self._session.close()

    # What there is

    def manipulator(self, name: str) -> Manipulator:
        """The handle of a robot.

        Raises:
            UnknownName: no such robot.
        """
        if name not in self.manipulators:
            raise UnknownName("robot", name, tuple(self.manipulators))
        return self.manipulators[name]

    def describe(self) -> Described:
        """Axes, robots, frames, tools, signals, operations and versions."""
        return self._session.ask(Describe)

    def state(self) -> CellState:
        """Everything about the cell at this tick."""
        return self._session.transport.state()

    def render(self, view: str = "iso", *, width: int = 1280, height: int = 800) -> Picture:
        """A picture from `iso`, `front`, `side`, `top` or one of the cell's cameras."""
        return self._session.transport.render(view, width=width, height=height)

    def link(self) -> LinkState:
        """How good the way to the cell is: age of its state, round trip, states lost during the last second."""
        return self._session.transport.link()

    # Time

    @property
    def tick(self) -> int:
        """Control periods since the start."""
        return self._session.transport.tick

    @property
    def time_s(self) -> float:
        """The cell's time, seconds since the start."""
        return self._session.transport.time_s

    def run(self, seconds: float) -> None:
        """Let so much of the cell's time pass."""
        self._session.run(seconds)

    def wait_until_still(self, timeout_s: float = MOTION_TIMEOUT_S) -> None:
        """Let time pass until every robot stands, for whatever reason.

        Raises:
            DeadlineExceeded: they do not in time (of the cell).
        """
        self._session.wait_until_still(timeout_s=timeout_s)

    # Control and stops

    @contextmanager
    def control(
        self, holder: str, *robots: str, wait_s: float = 0.0, attended: bool = False, priority: int = 0
    ) -> Iterator[CellClient]:
        """Have control of robots, or of the whole cell, in a `with` block.

        Leaving the block, also by an exception, gives control back: motion ends on its path, and the block is left
        when every robot stands.

        Args:
            holder: by which name others know the program.
            robots: names of robots or axes; the whole cell if none is named.
            wait_s: how long to queue for it, in the cell's time.
            attended: motion is stopped when the program makes no calls for half a second; otherwise its process must
                live.
            priority: the higher comes first among those who wait.

        Raises:
            NotHolder: somebody else has control, or this program has it already.
        """
        with self._session.control.block(holder, robots, wait_s=wait_s, attended=attended, priority=priority):
            yield self

    def take_control(
        self, holder: str, *robots: str, wait_s: float = 0.0, attended: bool = False, priority: int = 0
    ) -> None:
        """Have control until `release_control`; for interactive work, where no block can be kept.

        Raises:
            NotHolder: somebody else has control, or this program has it already.
        """
        self._session.control.take(holder, robots, wait_s=wait_s, attended=attended, priority=priority)

    def release_control(self) -> None:
        """Give control back: motion ends on its path. Does nothing for a program that does not have it."""
        self._session.control.release()

    def hand_over(self, to: str) -> None:
        """Stop, and let somebody have control who waits for it.

        Raises:
            UnknownName: nobody of that name waits.
        """
        self._session.control.hand_over(to)

    def take_back(self, author: str, *robots: str, reason: str) -> None:
        """Take control from whoever has it, as a supervisor: the robots are stopped, and this program comes next."""
        self._session.control.take_back(author, reason, robots)

    def split_control(self, *parts: Sequence[str]) -> tuple[GrantEntry, ...]:
        """Make several grants of one, each for some robots; every robot is commanded with its own."""
        return self._session.control.split(parts)

    def merge_control(self) -> None:
        """Make one grant of all that the program holds."""
        self._session.control.merge()

    def grants(self) -> GrantsListed:
        """Who holds what, who waits, and what has changed."""
        return self._session.ask(ListGrants)

    def stop(self, author: str | None = None) -> None:
        """Stop every robot until it is reset: anybody may, without control. No safety-rated emergency stop."""
        self._session.ask(Stop, author=author or self._session.signature)

    def reset(self) -> None:
        """When every robot stands, let them move again after a stop; nothing moves by itself."""
        self._session.wait_until_still(in_control=True)
        self._session.ask(Reset)

    # Signals and frames

    def signals(self, *names: str) -> dict[str, bool]:
        """The values of signals and light beams by name; of all if none is named."""
        return self._session.ask(ReadSignals, names=names).values

    def set_signal(self, name: str, value: bool) -> None:
        """Switch an output signal."""
        self._session.ask(SetSignal, name=name, value=value)

    def define_user_frame(self, name: str, origin: ArrayLike, on_x: ArrayLike, towards_y: ArrayLike) -> None:
        """A frame of the program's own, from three points in the world (m): origin, along +x, on the side of +y."""
        self._session.ask(DefineUserFrame, name=name, origin_m=origin, on_x_m=on_x, towards_y_m=towards_y)

    # Events

    def events(self, kinds: Kinds = (), timeout_s: float = MOTION_TIMEOUT_S) -> Iterator[AnyEvent]:
        """The events from now on, as they come; ends after so much of the cell's time.

        Args:
            kinds: tags of the wanted events, such as `"stopped"`; all if none is named.
            timeout_s: counted from this call.

        Raises:
            UnknownName: no such kind.
            QueueFull: more than 1000 events came while nobody read.
        """
        inbox = self._session.listeners.open_inbox(kinds)
        return self._session.read(inbox, Countdown(self._session.transport, timeout_s))

    def on_event(self, callback: Callback, kinds: Kinds = ()) -> Callable[[], None]:
        """Have a function called with every event from now on, inside whatever call lets time pass.

        What the function raises is raised by that call.

        Args:
            callback: called with the event.
            kinds: tags of the wanted events; all if none is named.

        Returns:
            A function that ends it.
        """
        return self._session.listeners.add(callback, kinds)

    # Requests by hand

    def send(self, request: type[Request], **fields: Any) -> Pending:
        """Send any request of `telecell.messages` and do not wait: many may be under way at once.

        Args:
            request: its type; number, grant and echo are filled in.
            fields: the rest of it.
        """
        return self._session.send(request, **fields)

    # Snapshots

    def save(self) -> bytes:
        """The complete state of the running cell."""
        return self._session.transport.save()

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell; from there everything goes on bit for bit.

        Whoever has control now keeps it. Replies and segments that are still awaited fail: they belong to another
        future.

        Raises:
            SnapshotMismatch: it is damaged or of another cell; everything stays as it was.
        """
        self._session.restore(snapshot)
