"""What a control period of the dual-arm cell costs, against the bare physics inside it."""

from __future__ import annotations

import mujoco
import numpy as np

from bench.figures import compare_us, report
from telecell.contract import Command
from telecell.models import load_cell
from telecell.plant import PhysicsPlant


def main() -> None:
    """Print the plant's figures."""
    plant = PhysicsPlant(load_cell("cirsse"))
    bare = PhysicsPlant(load_cell("cirsse"))
    command = Command(np.array(plant.cell.start), np.zeros(18), np.ones(2))
    for _ in range(250):
        plant.step(command)
        bare.step(command)
    times = compare_us(
        {
            "bare": lambda: mujoco.mj_step(bare.model, bare.data, nstep=4),
            "period": lambda: plant.step(command),
        },
        calls=200,
    )
    report(
        "plant_period_cirsse",
        value_us=times["period"],
        peer="four bare mj_step",
        peer_us=times["bare"],
        ratio=times["period"] / times["bare"],
        limit_ratio=2.0,
        real_time_factor=4000 / times["period"],
        goal_real_time_factor=10.0,
    )


if __name__ == "__main__":
    main()
