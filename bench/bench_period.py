"""What a control period of the dual-arm cell costs, against the bare physics inside it, and what is done between."""

from __future__ import annotations

from itertools import cycle

import mujoco
import numpy as np

from bench.figures import compare_us, report, time_us
from soak.operator import Operator
from telecell.messages import moves
from telecell.messages.stopping import Halt
from telecell.plant import PhysicsPlant

PERIOD_US = 4000.0
LIMIT_RATIO = 3.0
GOAL_REAL_TIME_FACTOR = 5.0
CALLS = 40


def measure_period() -> dict[str, object]:
    """The whole period with both arms moving, against four bare steps of the same physics."""
    operator, bare = Operator("cirsse", "physics").bring_up(), Operator("cirsse", "physics").bring_up()
    plant = bare.observer.plant
    assert isinstance(plant, PhysicsPlant)
    running = operator.running
    running.plant = operator.observer.plant  # without the observer
    targets = cycle(["zero", "ready"])

    def step() -> None:
        if not running.controller.arms["FL"].motion.active:
            pose = next(targets)
            for robot in ("FL", "FR"):
                running.submit(operator.build(moves.MoveNamed, robot=robot, pose=pose))
            running.step()
        running.step()

    step()
    times = compare_us(
        {
            "bare": lambda: mujoco.mj_step(plant.model, plant.data, nstep=4),
            "period": step,
            "state": running.state,
        },
        calls=CALLS,
        repeats=21,
    )
    return {
        "value_us": times["period"],
        "peer": "four bare mj_step",
        "peer_us": times["bare"],
        "ratio": times["period"] / times["bare"],
        "limit_ratio": LIMIT_RATIO,
        "real_time_factor": PERIOD_US / times["period"],
        "goal_real_time_factor": GOAL_REAL_TIME_FACTOR,
        "state_us": times["state"],
        "share_of_period": (times["period"] + times["state"]) / PERIOD_US,
    }


def list_requests(joints: np.ndarray) -> dict[str, tuple[type, dict[str, object]]]:
    """One request of every kind of plan, from where the robot stands."""
    points = tuple(tuple((joints + step).tolist()) for step in (0.05, 0.1, 0.15, 0.2))
    return {
        "joint": (moves.MoveJoints, {"joints": points[-1]}),
        "spline": (moves.MoveVia, {"points": points}),
        "pose": (moves.MovePoseBy, {"translation_m": (0.0, 0.1, 0.0)}),
        "line": (moves.MovePoseBy, {"translation_m": (0.0, 0.1, 0.0), "straight": True}),
        "set_point": (moves.StreamJoints, {"joints": points[0]}),
    }


def measure_handling() -> dict[str, float]:
    """What handling one request costs, µs; each begins at rest."""
    operator = Operator("puma").bring_up()
    operator.ask(moves.MoveNamed, robot="puma", pose="work")
    operator.settle()
    running, costs = operator.running, {}
    for name, (kind, fields) in list_requests(operator.observer.command.q_desired).items():
        times = []
        for _ in range(15):
            request = operator.build(kind, robot="puma", echo=running.tick - 1, **fields)
            times.append(time_us(lambda request=request: running.controller.handle(request), calls=1))
            assert running.controller.arms["puma"].motion.active, "it was refused"
            operator.ask(Halt, robot="puma")
            operator.settle()
        costs[f"{name}_us"] = float(np.median(times))
    return costs


def main() -> None:
    """Print the figures of the control period."""
    report("running_period_cirsse", **measure_period())
    report("handling_puma", **measure_handling(), limit_us=PERIOD_US)


if __name__ == "__main__":
    main()
