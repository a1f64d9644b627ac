from __future__ import annotations

import mujoco
import numpy as np
import pytest

from telecell.geometry import Pose
from telecell.kinematics import Chain, InverseSolver
from telecell.kinematics.closed_form import maybe_derive
from telecell.kinematics.reasons import describe_branch

from .arms import NINE_AXES, NINE_LIMITS, PUMA_AXES, PUMA_LIMITS, PUMA_READY, add_arm, build_rx90
from .golden import FORWARD, G1_RADIANS, INVERSE

TURN = 2 * np.pi


def turns_apart(joints, others):
    """Largest difference of two postures, whole turns aside."""
    return np.abs((np.subtract(joints, others) + np.pi) % TURN - np.pi).max()


@pytest.mark.parametrize("name", INVERSE)
def test_all_branches_agree_with_the_golden_table(puma_solver, name):
    degrees, position, columns = FORWARD[name]
    result = puma_solver.solve(Pose(np.transpose(columns), position), reference=np.radians(degrees))
    assert result.method == "closed form"
    by_branch = {describe_branch(solution.branch): solution for solution in reversed(result.solutions)}
    assert len(by_branch) == 8
    for branch, golden, outside in INVERSE[name]:
        # The table has twelve digits; angles outside the limits are in the turn nearest to them.
        assert turns_apart(by_branch[branch].joints, np.radians(golden)) < 1e-9
        assert by_branch[branch].outside == tuple(PUMA_AXES[k - 1] for k in outside)
        assert by_branch[branch].inside_limits == (not outside)


def test_g1_agrees_with_the_golden_table_in_radians(puma_solver):
    _, position, columns = FORWARD["G1"]
    result = puma_solver.solve(Pose(np.transpose(columns), position))
    for solution in result.solutions:
        assert turns_apart(solution.joints, G1_RADIANS[describe_branch(solution.branch)]) < 1e-9


def test_ten_thousand_postures_are_among_the_solutions_of_their_poses(puma, puma_solver):
    spread = np.random.default_rng(1).uniform(PUMA_LIMITS[:, 0], PUMA_LIMITS[:, 1], (10_000, 6))
    for joints in spread:
        best = puma_solver.solve(puma.forward(joints), reference=joints).best
        assert np.abs(np.subtract(best.joints, joints)).max() < 1e-9


def test_every_solution_reaches_the_pose(puma, puma_solver):
    spread = np.random.default_rng(2).uniform(PUMA_LIMITS[:, 0], PUMA_LIMITS[:, 1], (50, 6))
    for joints in spread:
        target = puma.forward(joints)
        result = puma_solver.solve(target)
        assert len({describe_branch(solution.branch) for solution in result.solutions}) == 8
        for solution in result.solutions:
            assert puma.forward(solution.joints).almost_equal(target)


def test_ready_is_solved_exactly_and_keeps_itself(puma, puma_solver):
    target = puma.forward(PUMA_READY)
    result = puma_solver.solve(target, reference=PUMA_READY)
    assert result.best.joints == pytest.approx(PUMA_READY, abs=1e-12)
    assert result.best.distance < 1e-12
    for solution in result.solutions:
        assert puma.forward(solution.joints).almost_equal(target)


def test_wrist_singularity_keeps_the_fourth_joint_of_the_reference(puma, puma_solver):
    reference = PUMA_READY + np.radians([0, 0, 0, 35, 0, 0])
    target = puma.forward(PUMA_READY + np.radians([0, 0, 0, 0, 0, 20]))
    best = puma_solver.solve(target, reference=reference).best
    assert np.degrees(best.joints) == pytest.approx([0, -90, 90, 35, 0, -15], abs=1e-9)


def test_branches_that_meet_at_a_singularity_are_one_solution(puma, puma_solver):
    result = puma_solver.solve(puma.forward(PUMA_READY), reference=PUMA_READY)
    inside = [s.joints for s in result.solutions if s.inside_limits and abs(s.joints[5]) < np.pi]
    straight = [joints for joints in inside if abs(joints[4]) < 1e-6]
    assert len(straight) == 1


@pytest.mark.parametrize("bend", [1e-3, 1e-5, 1e-6, 1e-7, -1e-8, 3e-9])
def test_postures_next_to_the_wrist_singularity_are_not_lost(puma, puma_solver, bend):
    joints = np.array([0.3, -1.2, 1.4, 0.5, bend, -0.4])
    best = puma_solver.solve(puma.forward(joints), reference=joints).best
    assert puma.forward(best.joints).almost_equal(puma.forward(joints), 2e-9, 2e-9)
    # Forward kinematics is good to 1e-16, which the straight wrist magnifies by 1 / bend.
    assert np.abs(np.subtract(best.joints, joints)).max() < 1e-9 + 1e-14 / abs(bend)


@pytest.mark.parametrize("bend", [0.0, 1e-7, 1e-3])
def test_a_straight_arm_is_solved(puma, puma_solver, bend):
    straight = np.pi / 2 + np.arctan2(0.0203, 0.4318)
    joints = np.array([0.3, -1.2, straight + bend, 0.5, 0.6, -0.4])
    result = puma_solver.solve(puma.forward(joints), reference=joints)
    # At full stretch the elbow moves with the square root of the distance, hence of the rounding.
    assert np.abs(np.subtract(result.best.joints, joints)).max() < 1e-6
    assert puma.forward(result.best.joints).almost_equal(puma.forward(joints))


def test_an_arm_that_is_straight_from_shoulder_to_hand_can_stay():
    arm = Chain(build_rx90(), axes=PUMA_AXES, base="world", tip="tip", name="rx90")
    joints = np.array([0.4, -0.7, np.pi / 2, 0.9, 0.0, -0.3])
    best = InverseSolver(arm).solve(arm.forward(joints), reference=joints).best
    assert best.joints == pytest.approx(joints, abs=1e-12)


def test_a_free_waist_keeps_the_first_joint_of_the_reference():
    arm = Chain(build_rx90(), axes=PUMA_AXES, base="world", tip="tip", name="rx90")
    solver = InverseSolver(arm)
    # Upper arm up and to the front, forearm back over the waist: the wrist centre is on the waist axis.
    above = np.array([0.0, -np.pi / 3, np.pi / 6, 0.3, 0.8, 0.2])
    centre = arm.root_in_base @ Pose.translation(*arm.screws.points[0])
    wrist = arm.forward(above) @ Pose.translation(0, 0, -0.085)
    assert np.hypot(*(wrist.position - centre.position)[:2]) < 1e-12
    for waist in (-1.0, 0.0, 2.0):
        result = solver.solve(arm.forward(above), reference=[waist, *above[1:]])
        assert result.best.joints[0] == pytest.approx(waist)
        assert all(arm.forward(s.joints).almost_equal(arm.forward(above)) for s in result.solutions)


def test_solutions_follow_a_cart_under_the_arm(nine_model):
    arm = Chain(nine_model, axes=NINE_AXES[3:], base="world", tip="flange", limits=NINE_LIMITS[3:])
    solver = InverseSolver(arm)
    joints = np.radians([0, -45, 180, 10, 45, 90])
    for cart in ([0.0, 0.0, 0.0], [-1.2, 0.7, -0.4], [0.5, -2.0, 0.3]):
        posture = nine_model.qpos0.copy()
        posture[:3] = cart
        arm.set_posture(posture)
        target = arm.forward(joints)
        result = solver.solve(target, reference=joints)
        assert result.best.joints == pytest.approx(joints, abs=1e-9)
        assert all(arm.forward(s.joints).almost_equal(target) for s in result.solutions)


def test_the_same_pose_has_other_joints_when_the_cart_has_moved(nine_model):
    arm = Chain(nine_model, axes=NINE_AXES[3:], base="world", tip="flange", limits=NINE_LIMITS[3:])
    solver = InverseSolver(arm)
    joints = np.radians([0, -45, 180, 10, 45, 90])
    target = arm.forward(joints)
    posture = nine_model.qpos0.copy()
    posture[0] = 0.1
    arm.set_posture(posture)
    best = solver.solve(target, reference=joints).best
    assert np.abs(np.subtract(best.joints, joints)).max() > 0.05
    assert arm.forward(best.joints).almost_equal(target)


def test_three_parallel_axes_have_a_closed_form_without_names(ur5):
    solver = InverseSolver(ur5)
    assert solver.method == "closed form"
    assert solver.branch_names == {}
    for joints in np.random.default_rng(4).uniform(-3, 3, (50, 6)):
        result = solver.solve(ur5.forward(joints), reference=joints)
        # The axes in this URDF are turned by angles with eleven digits.
        assert np.abs(np.subtract(result.best.joints, joints)).max() < 1e-7
        assert result.best.branch == {}


def test_an_arm_without_spherical_wrist_stays_next_to_the_reference_where_it_is_singular(ur5):
    solver = InverseSolver(ur5)
    joints = np.array([0.1, -1.0, 1.2, 0.3, 0.0, 0.2])
    best = solver.solve(ur5.forward(joints), reference=joints + 0.01).best
    assert np.abs(np.subtract(best.joints, joints)).max() < 0.1
    assert ur5.forward(best.joints).almost_equal(ur5.forward(joints), 1e-7, 1e-7)


def test_arms_without_six_hinges_have_no_closed_form(panda, nine):
    assert maybe_derive(panda.screws) is None
    assert maybe_derive(nine.screws) is None


def test_an_arm_without_known_decomposition_has_no_closed_form_and_stays_quiet(capfd):
    rows = [(alpha, 0.1 + 0.03 * k, 0.2 - 0.02 * k) for k, alpha in enumerate((10, 70, -50, 35, -80, 60))]
    spec = mujoco.MjSpec()
    add_arm(spec.worldbody, rows, PUMA_AXES).add_site(name="tip")
    arm = Chain(spec.compile(), axes=PUMA_AXES, base="world", tip="tip")
    assert maybe_derive(arm.screws) is None
    assert capfd.readouterr() == ("", "")
    joints = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    result = InverseSolver(arm).solve(arm.forward(joints), reference=joints + 0.1)
    assert result.method == "numeric"
    assert arm.forward(result.best.joints).almost_equal(arm.forward(joints), 1e-7, 1e-7)
