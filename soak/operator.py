"""Somebody with a grant, in the same process: numbers commands, keeps replies and events, and lets time pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from soak.bookkeeper import Bookkeeper
from soak.observer import ENDS_GRANT, Observer
from telecell.contract import Plant
from telecell.control.grants import Grants
from telecell.messages import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    Command,
    Grant,
    MalformedRequest,
    Query,
    Refused,
    Request,
    events,
    replies,
)
from telecell.messages.granting import Acquire, Source
from telecell.messages.moves import Move
from telecell.messages.settings import Power
from telecell.models import load_cell
from telecell.plant.drivers import load_driver
from telecell.runtime import RunningCell

SENDER = "operator"
UNDER_WAY = {"moving", "tracking", "stopping"}


class Operator:
    """Drives one running cell, under the eyes of an observer.

    Attributes:
        running: the cell.
        observer: between its controller and its plant.
        grant: what `take` was given, until it is lost.
        events: everything that has happened.
        books: what the cell has said, in order.
        count: how many requests were answered.
        clock_stretch: how much slower than the cell's clock its plant is.
    """

    def __init__(
        self,
        cell: str = "puma",
        plant: str | Callable[..., Plant] = "fake",
        *,
        seed: int = 0,
        profile: str = "local",
    ):
        loaded = load_cell(cell)
        make = load_driver(plant) if isinstance(plant, str) else plant
        self.observer = Observer(make(loaded, seed=seed))
        self.running = RunningCell(loaded, self.observer, epoch="test", profile=profile)
        self._fresh, self._profile = self.running.save(), self.running.controller.grants.profile
        self._begin()

    def restart(self) -> Operator:
        """Everything as it was when the cell came up: quicker than another cell."""
        controller = self.running.controller
        controller.grants = Grants(controller.grants.epoch, self._profile)
        controller.grant_history.clear()
        self.running.restore(self._fresh)
        self._begin()
        return self

    def _begin(self) -> None:
        self.observer.restart()
        self.books = Bookkeeper(self.running.cell)
        self.grant: Grant | None = None
        self.events: list[AnyEvent] = []
        self.count = 0
        self.clock_stretch, self._late_s = 1.0, 0.0
        self._sequence = 0
        self._sent: list[AnyRequest | MalformedRequest] = []

    # Asking

    def build(self, kind: type, **fields: Any) -> AnyRequest:
        """A request with the next number and, unless given, the grant and a fresh echo."""
        self._sequence += 1
        if issubclass(kind, Command):
            fields = {"grant": self.grant, "echo": self.running.tick, **fields}
        return kind(**{"sequence": self._sequence, "sender": SENDER, **fields})  # pyright: ignore[reportReturnType]

    def submit(self, request: AnyRequest | MalformedRequest) -> None:
        """Have it answered by the next step."""
        self._sent.append(request)
        self.running.submit(request)

    def send(self, kind: type, **fields: Any) -> None:
        """Submit a new request."""
        self.submit(self.build(kind, **fields))

    def ask(self, kind: type, **fields: Any) -> AnyReply:
        """Submit a new request and step once; queries are answered without a step."""
        request = self.build(kind, **fields)
        if isinstance(request, Query):
            return self.running.answer(request)
        self.submit(request)
        return next(reply for reply in self.step() if reply.sequence == request.sequence)

    def take(self, name: str = "tester", source: Source = "inside") -> Grant:
        """Take control of the whole cell, as soon as it stands and nobody else has it."""
        wanted = {"holder": name, "source": source, "wait": True}
        self.run_until(lambda: isinstance(self.ask(Acquire, **wanted), replies.Granted), 5.0)
        assert self.grant is not None
        return self.grant

    def bring_up(self, *robots: str) -> Operator:
        """Take control and switch robots on, all of them if none is named."""
        self.take()
        for robot in robots or [robot.name for robot in self.running.cell.robots]:
            self.send(Power, robot=robot, on=True)
        for _ in range(3):
            self.step()
        return self

    # Time

    def step(self) -> tuple[AnyReply, ...]:
        """One control period: every request is answered once, in order, and the observer judges what has passed."""
        self._late_s += (self.clock_stretch - 1.0) * self.running.plant.period_s
        answered, happened = self.running.step(self.running.time_s + self._late_s)
        sent, self._sent = self._sent, []
        assert [reply.sequence for reply in answered] == [request.sequence for request in sent]
        accepted = [asked for asked, reply in zip(sent, answered, strict=True) if not isinstance(reply, Refused)]
        for asked, reply in zip(sent, answered, strict=True):
            if isinstance(asked, Move):
                self.books.note_queued(asked.robot, reply)
            if isinstance(reply, replies.Granted) and isinstance(asked, Request) and asked.sender == SENDER:
                self.grant = reply.grants[0].grant
        for event in happened:
            if isinstance(event, events.GrantChanged) and event.change in ENDS_GRANT:
                self.grant = None if self.grant and self.grant.tenure == event.tenure else self.grant
        self.books.note_events(happened)
        self.observer.review(accepted, happened)  # pyright: ignore[reportArgumentType]
        self.events.extend(happened)
        self.count += len(answered)
        return answered

    def run(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds / self.running.plant.period_s)):
            self.step()

    def run_until(self, condition: Callable[[], bool], limit_s: float = 60.0) -> None:
        """Let time pass until something is the case."""
        for _ in range(round(limit_s / self.running.plant.period_s)):
            if condition():
                return
            self.step()
        raise AssertionError(f"not within {limit_s} s")

    def settle(self, limit_s: float = 60.0) -> None:
        """Let time pass until no robot is under way any more."""
        self.step()
        self.run_until(lambda: not UNDER_WAY & set(self.books.modes.values()), limit_s)

    # What has happened

    def has_stopped(self, cause: str) -> bool:
        """Whether there was a stop by a cause."""
        return any(event.cause == cause for event in self.happened(events.Stopped))

    def happened(self, kind: type) -> Iterator[Any]:
        """Events of one kind, in their order."""
        return (event for event in self.events if isinstance(event, kind))

    def list_wrongs(self) -> list[str]:
        """Whatever was not kept so far."""
        return self.observer.violations + self.books.mistakes
