"""What a whole control period of the dual-arm cell costs, against the bare physics inside it."""

from __future__ import annotations

import mujoco
import numpy as np

from bench.figures import compare_us, report, time_us
from telecell.client import CellClient
from telecell.client.in_process import InProcess
from telecell.geometry import Pose
from telecell.plant import PhysicsPlant
from telecell.runtime import RunningCell, start_cell

PERIOD_US = 4000.0


def open_moving(cell: str, *robots: str, plant: str = "physics") -> tuple[RunningCell, CellClient]:
    """A running cell with somebody in control of it, and robots that have power."""
    running = start_cell(cell, plant=plant, keep_poses=False)
    client = CellClient.connect(InProcess(running))
    client.take_control("bench")
    for robot in robots:
        client.manipulator(robot).power(True)
    return running, client


def main() -> None:
    """Print the figures."""
    _report_period()
    _report_planning()
    _report_stream()


def _report_period() -> None:
    running, client = open_moving("cirsse", "FL", "FR")
    for _ in range(8):
        for robot in ("FL", "FR"):
            client.manipulator(robot).move_to("zero")
            client.manipulator(robot).move_to("ready")
    plant = running.plant
    assert isinstance(plant, PhysicsPlant)
    bare = PhysicsPlant(running.cell)
    bare.restore(plant.save())

    def step_bare() -> None:
        bare.data.ctrl[:] = plant.data.ctrl  # moves likewise
        mujoco.mj_step(bare.model, bare.data, nstep=4)

    times = compare_us({"bare": step_bare, "period": running.step, "state": running.state}, calls=60)
    assert all(robot.moving for robot in running.state().robots)
    report(
        "period_cirsse_all_moving",
        value_us=times["period"],
        peer="four bare mj_step of the same model, moving likewise",
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
    running, client = open_moving("puma", "puma", plant="fake")
    arm = client.manipulator("puma")
    arm.move_to("work").wait()
    pose, joints = arm.where().pose("flange"), np.array(arm.where().joints)
    beside = Pose.translation(0.1, -0.2, 0.1) @ pose
    idle_us = time_us(running.step, calls=200)
    for name, move in {
        "joints": lambda: arm.move_to("ready"),
        "pose": lambda: arm.move_pose(pose),
        "via": lambda: arm.move_via([joints + change for change in (0.1, 0.3, -0.1, 0.0)]),
        "line": lambda: arm.move_line(beside),
    }.items():
        value = (time_us(move, calls=1) - idle_us) / 1000
        report(f"plan_{name}_puma", value_ms=value, limit_ms=20.0, peer="a control period", peer_ms=PERIOD_US / 1000)


def _report_stream() -> None:
    """A set-point per period."""
    running, client = open_moving("puma", "puma", plant="fake")
    arm = client.manipulator("puma")
    pose, joints = arm.where().pose("flange"), np.array(arm.where().joints)
    idle_us = time_us(running.step, calls=200)
    with arm.stream(rate_hz=250) as stream:
        for name, send in {
            "joints": lambda: stream.send(joints + 0.2),
            "pose": lambda: stream.send_pose(pose),
        }.items():
            value = time_us(send, calls=200)
            report(f"stream_{name}_puma", value_us=value, peer="a period without a set-point", peer_us=idle_us)


if __name__ == "__main__":
    main()
