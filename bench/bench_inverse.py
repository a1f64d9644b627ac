"""What a complete inverse solution costs, against the bare solver inside it and against the Robotics Toolbox."""

from __future__ import annotations

from itertools import cycle

import numpy as np
from eaik.IK_HP import HPRobot

from bench.figures import compare_us, report
from telecell.geometry import Pose
from telecell.kinematics import InverseSolver
from telecell.kinematics.posture import Posture, build_chain
from telecell.models import load_model_cell

POSES = 200
"""Random poses, all of them reached, that the calls of a figure take in turn."""


def build_solver() -> InverseSolver:
    """The inverse kinematics of the catalog's PUMA 560, from shoulder to wrist centre."""
    cell = load_model_cell("puma560")
    return InverseSolver(build_chain(cell.robots[0], Posture(cell)))


def measure_all_branches(solver: InverseSolver, poses: list[Pose], postures: np.ndarray) -> dict[str, object]:
    """Every branch, named, in every turn, checked and sorted, against EAIK alone on the same arm and poses."""
    screws = solver.chain.screws
    bare = HPRobot(screws.directions, screws.offsets)
    to_root = solver.chain.root_in_base.inverse()
    to_end = solver.chain.tip_at_zero.inverse() @ Pose.translation(*screws.end)
    goals = cycle([(to_root @ pose @ to_end).as_matrix() for pose in poses])
    questions = cycle(list(zip(poses, postures, strict=True)))

    def solve() -> None:
        pose, reference = next(questions)
        solver.solve(pose, reference=reference)

    times = compare_us({"bare": lambda: bare.IK(next(goals)).Q, "complete": solve}, calls=POSES, repeats=31)
    ratio = times["complete"] / times["bare"]
    return {
        "figure": "inverse_all_branches",
        "value_us": times["complete"],
        "peer": "raw EAIK",
        "peer_us": times["bare"],
        "ratio": ratio,
        "limit_ratio": 10,
    }


def measure_one_branch(solver: InverseSolver, poses: list[Pose]) -> dict[str, object]:
    """One named branch, against the analytic solver of the Robotics Toolbox on its own PUMA 560."""
    figure = "inverse_one_branch"
    try:
        from roboticstoolbox.models.DH import Puma560  # noqa: PLC0415 - not installed everywhere
    except ImportError as error:
        return {"figure": figure, "skipped": f"Robotics Toolbox: {error}"}
    toolbox = Puma560()
    # The toolbox states poses from the mounting face.
    raised = cycle([Pose.translation(0, 0, 0.67183) @ pose for pose in poses])
    matrices = cycle([next(raised).as_matrix() for _ in poses])
    targets = cycle(poses)
    branch = {"arm": "lefty", "elbow": "above", "wrist": "noflip"}
    times = compare_us(
        {
            "toolbox": lambda: toolbox.ikine_a(next(matrices), "luf"),
            "ours": lambda: solver.solve(next(targets), branch=branch),
        },
        calls=POSES,
    )
    return {
        "figure": figure,
        "value_us": times["ours"],
        "peer": "Robotics Toolbox ikine_a",
        "peer_us": times["toolbox"],
        "times_faster": times["toolbox"] / times["ours"],
        "limit_times_faster": 3,
    }


def main() -> list[dict[str, object]]:
    """Print the figures of inverse kinematics."""
    solver = build_solver()
    limits = solver.chain.limits
    postures = np.random.default_rng(0).uniform(limits[:, 0], limits[:, 1], (POSES, 6))
    poses = [solver.chain.forward(joints) for joints in postures]
    figures = [measure_all_branches(solver, poses, postures), measure_one_branch(solver, poses)]
    for figure in figures:
        name = str(figure["figure"])
        report(name, **{key: value for key, value in figure.items() if key != "figure"})
    return figures


if __name__ == "__main__":
    main()
