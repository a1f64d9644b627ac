"""What a whole control period of the dual-arm cell costs, against the bare physics inside it."""

from __future__ import annotations

from typing import Any

import mujoco

from bench.figures import compare_us, report, time_us
from telecell.messages import Placement, moves, queries, settings
from telecell.plant import PhysicsPlant
from telecell.runtime import RunningCell, start_cell

PERIOD_US = 4000.0


class Driver:
    """Somebody who holds the grant of a cell and asks one thing after the other."""

    def __init__(self, cell: str, plant: str = "physics"):
        self.running: RunningCell = start_cell(cell, plant=plant, keep_poses=False)
        self._sequence = 0
        self._grant = None
        self._grant = self.ask(settings.TakeControl, holder="bench").grant

    def ask(self, kind: type, **fields: Any) -> Any:
        """The reply to a request."""
        self._sequence += 1
        self.running.submit(kind(sequence=self._sequence, grant=self._grant, echo=self.running.tick, **fields))
        return self.running.step()[0][-1]

    def power(self, *robots: str) -> None:
        """Switch robots on, and wait until they say so."""
        for robot in robots:
            self.ask(settings.Power, robot=robot, on=True)
        for _ in range(3):
            self.running.step()

    def time_ms(self, kind: type, **fields: Any) -> float:
        """How long the period takes in which a request is answered, less what it would take without."""
        idle = time_us(self.running.step, calls=20)
        return (time_us(lambda: self.ask(kind, **fields), calls=1) - idle) / 1000


def main() -> None:
    """Print the figures."""
    _report_period()
    _report_planning()
    _report_stream()


def _report_period() -> None:
    driver = Driver("cirsse")
    driver.power("FL", "FR")
    bare = PhysicsPlant(driver.running.cell)
    for _ in range(8):
        for robot in ("FL", "FR"):
            driver.ask(moves.MoveNamed, robot=robot, pose="zero")
            driver.ask(moves.MoveNamed, robot=robot, pose="ready")
    for _ in range(250):
        driver.running.step()
        mujoco.mj_step(bare.model, bare.data, nstep=4)
    times = compare_us(
        {
            "bare": lambda: mujoco.mj_step(bare.model, bare.data, nstep=4),
            "period": driver.running.step,
            "state": driver.running.state,
        },
        calls=60,
    )
    assert all(robot.moving for robot in driver.running.state().robots)
    report(
        "period_cirsse_all_moving",
        value_us=times["period"],
        peer="four bare mj_step of the same model, at rest",
        peer_us=times["bare"],
        ratio=times["period"] / times["bare"],
        limit_ratio=3.0,
        real_time_factor=PERIOD_US / times["period"],
        goal_real_time_factor=5.0,
        state_us=times["state"],
        share_of_period=(times["period"] + times["state"]) / PERIOD_US,
    )


def _report_planning() -> None:
    """Moves are planned inside the period in which they are asked for."""
    driver = Driver("puma", plant="fake")
    driver.power("puma")
    driver.ask(moves.MoveNamed, robot="puma", pose="work")
    while driver.running.state().robots[0].moving:
        driver.running.step()
    here = driver.ask(queries.Where, robot="puma")
    flange = here.frames["puma/flange"]
    x, y, z = flange.position_m
    beside = Placement((x + 0.1, y - 0.2, z + 0.1), flange.quaternion_wxyz)
    via = tuple(tuple(value + change for value in here.joints) for change in (0.1, 0.3, -0.1, 0.0))
    for name, kind, fields in (
        ("joints", moves.MoveNamed, {"pose": "ready"}),
        ("pose", moves.MovePose, {"target": flange}),
        ("via", moves.MoveVia, {"points": via}),
        ("line", moves.MoveLine, {"target": beside}),
    ):
        value = driver.time_ms(kind, robot="puma", **fields)
        report(f"plan_{name}_puma", value_ms=value, limit_ms=20.0, peer="a control period", peer_ms=4.0)


def _report_stream() -> None:
    driver = Driver("puma", plant="fake")
    driver.power("puma")
    here = driver.ask(queries.Where, robot="puma")
    flange = here.frames["puma/flange"]
    idle = time_us(driver.running.step, calls=200)
    for name, kind, fields in (
        ("joints", moves.StreamJoints, {"joints": tuple(value + 0.2 for value in here.joints)}),
        ("pose", moves.StreamPose, {"target": flange}),
    ):
        value = time_us(lambda kind=kind, fields=fields: driver.ask(kind, robot="puma", **fields), calls=200)
        report(f"stream_{name}_puma", value_us=value, peer="a period without a set-point", peer_us=idle)


if __name__ == "__main__":
    main()
