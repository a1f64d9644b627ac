"""A cell that runs: controller and plant stepped together, in this process, as fast or as slowly as it is called."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import msgspec

from telecell.contract import Plant
from telecell.contract.snapshots import decode_snapshot
from telecell.control import Controller, ControllerState
from telecell.control.profiles import get_profile
from telecell.errors import PlantError, QueueFull, SnapshotMismatch, TelecellError
from telecell.kinematics.posture import Posture
from telecell.messages import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    CellSetup,
    CellState,
    ErrorReport,
    LoopState,
    MalformedRequest,
    Query,
    Refused,
    events,
)
from telecell.models import Cell
from telecell.plant.cameras import Picture, render
from telecell.runtime.pose_file import Poses, read_poses, write_poses
from telecell.runtime.report import Reporter, report_setup

MAX_WAITING = 256
"""Requests that wait for the next tick; more are refused."""


class Snapshot(msgspec.Struct, frozen=True):
    """A running cell, complete."""

    cell: str
    plant: bytes
    controller: ControllerState


class RunningCell:
    """One cell: its controller and its plant.

    Args:
        cell: the description.
        plant: what is moved, started; the running cell closes it.
        epoch: tells this run of the cell from every other.
        pose_file: where named poses are kept; None keeps them only as long as the cell runs.
        profile: the rules of control as numbers.

    Attributes:
        controller: decides.
        plant: moves.
    """

    def __init__(
        self, cell: Cell, plant: Plant, *, epoch: str = "", pose_file: Path | None = None, profile: str = "local"
    ):
        self.cell = cell
        self.plant = plant
        self.controller = Controller(
            cell,
            plant.period_s,
            plant.measure(),
            epoch=epoch,
            ramps_before_power_off=plant.supports_ramped_power_off,
            profile=get_profile(profile),
        )
        self._pose_file = pose_file
        self._waiting: deque[AnyRequest | MalformedRequest] = deque()
        self._refused: list[AnyReply] = []
        self._posture = Posture(cell)
        self._reporter = Reporter(cell, self._posture)
        self._lost: str | None = None
        if pose_file is not None:
            self._load_poses(read_poses(pose_file, cell))

    def __enter__(self) -> RunningCell:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Brake, and let the plant go; may be called twice."""
        self.plant.close()

    # Requests

    def submit(self, request: AnyRequest | MalformedRequest) -> None:
        """Have a request answered by the next `step`."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(request)
            return
        error = QueueFull(
            "too many requests wait for the next tick", limit=MAX_WAITING, remedy="Send them more slowly."
        )
        self._refused.append(Refused(request.sequence, ErrorReport.from_error(error)))

    def answer(self, query: Query) -> AnyReply:
        """Answer what needs no tick, at once."""
        return self.controller.handle(query)  # pyright: ignore[reportArgumentType]

    # Time

    def step(self, now_s: float | None = None) -> tuple[tuple[AnyReply, ...], tuple[AnyEvent, ...]]:
        """Advance by one control period.

        Args:
            now_s: the cell's own clock; simulated time without.

        Returns:
            One reply per request that waited, and what has happened.
        """
        measured = self.plant.measure()
        requests = tuple(self._waiting)
        self._waiting.clear()
        now_s = measured.tick * self.plant.period_s if now_s is None else now_s
        result = self.controller.step(now_s, measured, requests, self._lost)
        self._advance_plant(result.command)
        self._keep_poses(result.events)
        refused, self._refused = tuple(self._refused), []
        return (*refused, *result.replies), result.events

    def _advance_plant(self, command) -> None:
        """A lost plant is tried again once its stop was reset."""
        if self._lost is not None and "plant_lost" in self.controller.axes.latches:
            return
        try:
            self.plant.step(command)
            self._lost = None
        except PlantError as error:
            self._lost = str(error)

    # What is the case

    @property
    def tick(self) -> int:
        """Control periods since the start."""
        return self.plant.measure().tick

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self.tick * self.plant.period_s

    def state(self, loop: LoopState | None = None) -> CellState:
        """Everything about the cell at this tick."""
        return self._reporter.report(self.controller, self.plant.measure(), loop or LoopState())

    def setup(self) -> CellSetup:
        """What holders have set: frames, configurations and named poses."""
        return report_setup(self.controller)

    def render(self, view: str = "iso", *, width: int = 1280, height: int = 800) -> Picture:
        """A picture from `iso`, `front`, `side`, `top` or one of the cell's cameras."""
        measured = self.plant.measure()
        self._posture.set(measured.q_measured, measured.openings, measured.parts)
        return render(self._posture.model, self._posture.data, view, width=width, height=height)

    # Named poses

    def _load_poses(self, poses: Poses) -> None:
        for name, saved in poses.items():
            self.controller.arms[name].saved_poses.update(saved)

    def _keep_poses(self, happened: tuple[AnyEvent, ...]) -> None:
        if self._pose_file is not None and any(isinstance(event, events.PosesChanged) for event in happened):
            poses = {name: arm.saved_poses for name, arm in self.controller.arms.items()}
            try:
                write_poses(self._pose_file, self.cell, poses)
            except OSError as error:
                reason = f"{self._pose_file}: named poses are not kept beyond this run: {error.strerror}"
                self.controller.journal.note(events.Warned, reason=reason)

    # Snapshots

    def save(self) -> bytes:
        """The complete state of the running cell."""
        return msgspec.msgpack.encode(Snapshot(self.cell.name, self.plant.save(), self.controller.save()))

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state of the same cell; from there everything goes on bit for bit.

        Raises:
            SnapshotMismatch: it is damaged or of another cell; everything stays as it was.
        """
        saved = decode_snapshot(snapshot, Snapshot, "a cell")
        if saved.cell != self.cell.name:
            raise SnapshotMismatch("the snapshot belongs to another cell", value=saved.cell, limit=self.cell.name)
        before = self.controller.save()
        self.controller.restore(saved.controller)
        try:
            self.plant.restore(saved.plant)
        except TelecellError:
            self.controller.restore(before)
            raise
        self.controller.measured = self.plant.measure()
        self._lost = None
        self._waiting.clear()
