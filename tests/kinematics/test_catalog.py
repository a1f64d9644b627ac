"""The catalog's own arms keep the golden tables, and the long arm uses its rail."""

import numpy as np
import pytest

from telecell.geometry import Pose
from telecell.kinematics import InverseSolver
from telecell.kinematics.posture import Posture, build_chain
from telecell.models import load_cell, load_model_cell

from .golden import FORWARD, INVERSE


@pytest.fixture(scope="module")
def puma() -> InverseSolver:
    cell = load_model_cell("puma560")
    return InverseSolver(build_chain(cell.robots[0], Posture(cell)))


@pytest.fixture(scope="module")
def left_arm() -> InverseSolver:
    cell = load_cell("cirsse")
    return InverseSolver(build_chain(cell.get_robot("FL"), Posture(cell)))


@pytest.mark.parametrize("name", FORWARD)
def test_forward_agrees_with_the_golden_table(puma: InverseSolver, name: str):
    joints, position, columns = FORWARD[name]
    pose = puma.chain.forward(np.radians(joints))
    assert pose.position == pytest.approx(position, abs=1e-9)
    assert pytest.approx(np.array(columns, dtype=float), abs=1e-9) == pose.rotation.T


@pytest.mark.parametrize("name", INVERSE)
def test_all_branches_agree_with_the_golden_table(puma: InverseSolver, name: str):
    target = puma.chain.forward(np.radians(FORWARD[name][0]))
    found = {" ".join(s.branch.values()): s for s in puma.solve(target).solutions}
    assert len(found) == 8
    for branch, joints, _ in INVERSE[name]:
        turns = (np.array(found[branch].joints) - np.radians(joints)) / (2 * np.pi)
        assert turns == pytest.approx(np.rint(turns), abs=1e-10)


def compute_mdh(joints: np.ndarray) -> np.ndarray:
    """The nine-joint arm as a product of modified Denavit-Hartenberg rows, lengths as in the cart's provenance."""
    q = np.concatenate([[0.0], joints[1:]])
    rows = [
        (-np.pi / 2, 0.0, joints[0]),
        (np.pi / 2, 0.30, 0.45),
        (-np.pi / 2, 0.0, 0.0),
        (np.pi / 2, 0.0, 0.10 + 0.67183),
        (-np.pi / 2, 0.0, 0.2435),
        (0.0, 0.4318, -0.09345),
        (np.pi / 2, -0.0203, 0.4318),
        (-np.pi / 2, 0.0, 0.0),
        (np.pi / 2, 0.0, 0.05588),
    ]
    result = np.eye(4)
    for (alpha, a, d), theta in zip(rows, q, strict=True):
        ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
        result = result @ np.array(
            [[ct, -st, 0, a], [st * ca, ct * ca, -sa, -d * sa], [st * sa, ct * sa, ca, d * ca], [0, 0, 0, 1]]
        )
    return result


def test_the_nine_axis_arm_is_its_table_of_links(left_arm: InverseSolver):
    random = np.random.default_rng(3)
    low, high = left_arm.chain.limits.T
    for joints in random.uniform(low, high, (200, 9)):
        assert left_arm.chain.forward(joints).as_matrix() == pytest.approx(compute_mdh(joints), abs=1e-12)


def test_a_target_far_along_the_rail_is_reached_with_the_carriage(left_arm: InverseSolver):
    """CimStation was reluctant to use the long linear axis; this must not be."""
    ready = np.array(load_cell("cirsse").get_robot("FL").get_pose("ready"))
    start = left_arm.chain.forward(ready)
    for travel in np.arange(0.1, 1.81, 0.1):
        best = left_arm.solve(Pose.translation(0, travel, 0) @ start, reference=ready).best
        share = (best.joints[0] - ready[0]) / travel
        assert share > 0.5, f"{travel:.1f} m along the rail, the carriage does {share:.0%}"
