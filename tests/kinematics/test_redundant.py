from __future__ import annotations

import mujoco
import numpy as np
import pytest

from telecell.errors import JointOutOfRange
from telecell.geometry import Pose
from telecell.kinematics import Chain, InverseSolver

from .arms import NINE_AXES, NINE_LIMITS, NINE_READY, add_arm

# 1e-8 at the last axis, and its lever to the tip.
EXACT = 1e-7


def along_the_rail(chain: Chain, metres: float) -> Pose:
    return Pose.translation(0, metres, 0) @ chain.forward(NINE_READY)


def test_a_far_target_along_the_rail_is_reached_by_the_carriage(nine, nine_solver):
    target = along_the_rail(nine, 1.5)
    best = nine_solver.solve(target, reference=NINE_READY).best
    assert nine.forward(best.joints).almost_equal(target, EXACT, EXACT)
    assert best.joints[0] - NINE_READY[0] >= 1.0


def test_targets_along_the_whole_rail_are_reached(nine, nine_solver):
    for metres in np.arange(0.0, 1.85, 0.1):
        for height in (-0.2, 0.0, 0.2):
            target = Pose.translation(0, 0, height) @ along_the_rail(nine, metres)
            best = nine_solver.solve(target, reference=NINE_READY).best
            assert nine.forward(best.joints).almost_equal(target, EXACT, EXACT)
            assert best.inside_limits


def test_the_carriage_goes_along_when_a_target_moves_on_in_steps(nine, nine_solver):
    joints = NINE_READY
    for metres in np.arange(0.05, 1.55, 0.05):
        joints = nine_solver.solve(along_the_rail(nine, metres), reference=joints).best.joints
    assert joints[0] - NINE_READY[0] >= 1.0


def test_weights_shift_the_share_of_the_carriage(nine_model):
    shares = []
    for weight in (1.0, 10.0, 100.0):
        weights = np.array([weight, *np.ones(8)])
        arm = Chain(nine_model, axes=NINE_AXES, base="world", tip="flange", limits=NINE_LIMITS, weights=weights)
        best = InverseSolver(arm).solve(along_the_rail(arm, 0.1), reference=NINE_READY).best
        shares.append((best.joints[0] - NINE_READY[0]) / 0.1)
    assert shares[0] > 0.7 > shares[1] > 0.2 > shares[2] >= 0.0


def test_random_poses_are_all_reached_inside_the_limits(nine, nine_solver):
    assert nine_solver.method == "numeric"
    for joints in np.random.default_rng(7).uniform(NINE_LIMITS[:, 0], NINE_LIMITS[:, 1], (60, 9)):
        target = nine.forward(joints)
        best = nine_solver.solve(target, reference=NINE_READY).best
        assert nine.forward(best.joints).almost_equal(target, EXACT, EXACT)
        assert min(nine.limit_margins(best.joints)) >= 0


def test_a_pose_that_is_already_taken_needs_no_motion(nine, nine_solver):
    assert nine_solver.solve(nine.forward(NINE_READY), reference=NINE_READY).best.distance < 1e-7


def test_redundant_arms_reach_every_branch_of_their_last_six_axes(nine, nine_solver):
    target = along_the_rail(nine, 0.3)
    for arm in ("lefty", "righty"):
        for wrist in ("noflip", "flip"):
            branch = {"arm": arm, "wrist": wrist}
            best = nine_solver.solve(target, reference=NINE_READY, branch=branch).best
            assert branch.items() <= best.branch.items()
            assert nine.forward(best.joints).almost_equal(target, EXACT, EXACT)


def test_a_branch_without_solution_names_those_that_have_one(nine_model):
    limits = NINE_LIMITS.copy()
    limits[7] = np.radians([5, 95])
    arm = Chain(nine_model, axes=NINE_AXES, base="world", tip="flange", limits=limits)
    result = InverseSolver(arm).solve(along_the_rail(arm, 0.3), reference=NINE_READY, branch={"wrist": "flip"})
    assert result.reason == "no solution with flip; inside the limits are: lefty above noflip"


def test_the_same_question_has_the_same_answer(nine, nine_model):
    target = nine.forward(NINE_LIMITS.mean(axis=1) + 0.3)
    answers = {
        InverseSolver(Chain(nine_model, axes=NINE_AXES, base="world", tip="flange", limits=NINE_LIMITS))
        .solve(target)
        .best.joints
        for _ in range(2)
    }
    assert len(answers) == 1


@pytest.mark.parametrize(("height", "text"), [(5.0, "beyond the arm's reach"), (1.0, "misses it by")])
def test_unreachable_targets_say_why(nine, nine_solver, height, text):
    result = nine_solver.solve(Pose.translation(0, 0, height) @ nine.forward(NINE_READY), reference=NINE_READY)
    assert not result.reachable
    assert result.solutions == ()
    assert text in result.reason


def test_axes_outside_the_chain_do_not_move(nine_model):
    cart = Chain(nine_model, axes=NINE_AXES[:3], base="world", tip="flange", limits=NINE_LIMITS[:3], posture=NINE_READY)
    goal = np.array([-0.4, 0.6, 0.2])
    target = cart.forward(goal)
    best = InverseSolver(cart).solve(target, reference=NINE_READY[:3]).best
    assert len(best.joints) == 3
    assert cart.forward(best.joints).almost_equal(target, EXACT, EXACT)


def test_seven_axes_are_solved(panda):
    solver = InverseSolver(panda)
    assert solver.method == "numeric"
    for joints in np.random.default_rng(8).uniform(panda.limits[:, 0], panda.limits[:, 1], (40, 7)):
        target = panda.forward(joints)
        best = solver.solve(target).best
        assert panda.forward(best.joints).almost_equal(target, EXACT, EXACT)
        assert min(panda.limit_margins(best.joints)) >= 0


def test_four_axes_reach_the_poses_that_they_have():
    # A SCARA: two parallel hinges, a slide down, and the hand's turn.
    spec = mujoco.MjSpec()
    rows = ((0, 0.0, 0.4), (0, 0.3, 0.0), (0, 0.25, 0.0), (0, 0.0, 0.0))
    axes = ("a", "b", "c", "d")
    add_arm(spec.worldbody, rows, axes, slides=("c",)).add_site(name="tip")
    limits = [(-2.5, 2.5), (-2.5, 2.5), (-0.2, 0.0), (-3.1, 3.1)]
    arm = Chain(spec.compile(), axes=axes, base="world", tip="tip", limits=limits)
    solver = InverseSolver(arm)
    joints = np.array([0.5, -1.0, -0.1, 0.7])
    best = solver.solve(arm.forward(joints), reference=[0.1, -0.3, 0.0, 0.0]).best
    assert best.joints == pytest.approx(joints, abs=1e-6)
    tilted = arm.forward(joints) @ Pose.from_xyz_rpy((0, 0, 0), (0.5, 0, 0))
    assert not solver.solve(tilted).reachable


def test_a_reference_of_the_wrong_length_is_refused(nine_solver):
    with pytest.raises(JointOutOfRange, match="FL: joint vector must be 9 finite numbers"):
        nine_solver.solve(Pose.identity(), reference=[0.0] * 6)
